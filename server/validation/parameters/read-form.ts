import { type FieldError, fieldOf } from '../../lib/field-error.ts';
import { isObject, type JsonObject } from '../../lib/json-object.ts';
import { mergeOwn } from '../../lib/own-property.ts';
import type { QueryPlan } from './parameter-plan.ts';
import { readQuery } from './read-query.ts';
import { createReading } from './reading.ts';

/** How a form becomes a value. Made when a contract is compiled. */
export interface FormPlan {
  /** The properties with an encoding of their own, and then an exploded object with all others. */
  query: QueryPlan;
  /** The parts of a multipart form, by name. Parts of unknown types are left out. */
  parts: Readonly<Record<string, PartPlan>>;
}

export interface PartPlan {
  isFile: boolean;
  isList: boolean;
  /** The media types that a file may have: `image/png`, `image/*`. */
  mediaTypes?: readonly string[];
}

/** The name of the exploded object: a lone surrogate, which no decoded text contains. */
export const otherFields = '\ud800';

/**
 * Reads a form with the parsers of a query.
 * @param form `application/x-www-form-urlencoded`
 * @param files the content of files by name. They are part of the value.
 * @param accepts whether a schema accepts a value
 * @param problems receives the reasons why properties have no value
 */
export function readForm(
  { query }: FormPlan,
  form: string,
  files: Readonly<Record<string, unknown>>,
  accepts: (check: string, value: unknown) => boolean,
  problems: FieldError[],
): Record<string, unknown> {
  const found: FieldError[] = [];
  const shape = query.parameters.at(-1)?.shape;
  const wholeChecks = shape?.kind === 'union' ? shape.checks : [];
  const values: Record<string, unknown> = {};
  // The schema of the form as a whole decides between alternatives, so it must see everything.
  const reading = createReading((check, value) =>
    accepts(check, wholeChecks.includes(check) && isObject(value) ? mergeOwn([value, values, files]) : value),
  );
  // A percent sign that encodes nothing is a percent sign (URL Standard, section 5.1).
  const text = form.replaceAll(/%(?![\da-f]{2})/gi, '%25');
  readQuery(query, text, { reading, problems: found, values });
  const { [otherFields]: others, ...encoded } = values;
  for (const { field, message } of found)
    problems.push({ field: fieldOf('body', field.replace(/^query(\/\ud800)?/, '')), message });
  return mergeOwn([isObject(others) ? others : {}, encoded, files]);
}

/** Writes texts as a form, so that forms of all kinds are read alike. Commas stay, because styles have them as delimiters. */
export const writeForm = (fields: Iterable<readonly [name: string, texts: readonly string[]]>): string =>
  Array.from(fields, ([name, texts]) => texts.map((text) => `${encoded(name)}=${encoded(text)}`))
    .flat()
    .join('&');

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');

/** Writes a form that other middleware has parsed. Objects have brackets again if their encoding demands it. */
export function writeParsedForm({ query }: FormPlan, form: JsonObject): string {
  const isBracketed = (name: string) =>
    query.bracketed.some((index) => query.parameters[index]?.name === name);
  const leavesOf = (name: string, value: unknown): [string, string[]][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, each]) => leavesOf(`${name}[${key}]`, each))
      : [[name, [String(value)]]];
  const textsOf = (name: string, value: unknown): [string, string[]][] =>
    isBracketed(name)
      ? leavesOf(name, value)
      : [[name, [value].flat().map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))]];
  return writeForm(Object.entries(form).flatMap(([name, value]) => textsOf(name, value)));
}
