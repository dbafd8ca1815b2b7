import { violationsWithinLimit } from '../../../../server/contract/schema-checks.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import { explainSchema } from '../../../../server/validation/explain/explain-schema.ts';
import { pointerOf, pointerTokens, resolvePointer } from '../../../lib/json-pointer.ts';
import { knownFormats } from '../../../lib/known-formats.ts';
import { isSchema } from '../../../testing/schema-values/schema.ts';
import { subschemasOf } from '../../../testing/schema-values/subschemas.ts';
import { createSchemaCopies, type Direction } from '../../compile/schema-copies.ts';
import { createSchemaFunctions } from '../../compile/schema-functions.ts';
import { isUnread } from '../../compile/unread-body.ts';
import { type SchemaLocation, schemaLocationsOf } from '../../diff/schema-locations.ts';
import type { Contract } from '../../model/contract.ts';
import { type CheckContext, type CheckReport, errorFinding, type Finding } from '../check.ts';

/** Validates every example against its schema, with the functions of the compiled contract. */
export async function checkExamples({ contract }: CheckContext): Promise<CheckReport> {
  const loaded = await contract();
  const found = validateExamples(loaded);
  const findings = found
    .filter(({ problems }) => problems.length > 0)
    .map(
      async ({ path, where, problems }): Promise<Finding> =>
        errorFinding(
          'example-does-not-fit',
          `The example of ${where} is invalid: ${problems.join('; ')}.`,
          'Change the example or the schema.',
          await loaded.locate(path),
        ),
    );
  return { findings: await Promise.all(findings), summary: `${found.length} examples` };
}

/** An example and its validation errors. */
export interface ValidatedExample {
  /** JSON Pointer to the example, as if each reference were replaced by its target. */
  path: string;
  /** The part of the contract that the example belongs to. */
  where: string;
  /** Empty if the example is valid. */
  problems: string[];
}

interface Shown {
  value: unknown;
  path: string;
}

/** Maximum number of violations of an example that are listed. */
const maxProblems = 3;

/**
 * Validates every example of a contract with the functions of its schemas: those of bodies, parameters and headers, and
 * those of schemas.
 * @throws Error if a schema cannot be compiled
 */
export function validateExamples(contract: Contract): ValidatedExample[] {
  const { document } = contract;
  const copies = createSchemaCopies(document);
  const examples = new Map<
    string,
    { path: string; where: string; schema: string | undefined; value: unknown }
  >();
  const schemaAt = (pointer: string, direction: Direction) =>
    isSchema(resolvePointer(document, pointer)) ? copies.nameOf(pointer, direction) : undefined;
  for (const site of schemaLocationsOf(contract)) {
    const direction = site.direction === 'requests' ? 'request' : 'response';
    for (const { value, path } of shownAt(contract, site)) {
      const schema = schemaAt(site.pointer, direction);
      examples.set(`${direction} ${site.name} ${path}`, { path, where: site.name, schema, value });
    }
    for (const { value, path, pointer } of ofSchemas(contract, site)) {
      const schema = schemaAt(pointer.replace(/\/examples?(\/\d+)?$/, ''), direction);
      examples.set(`${direction} ${pointer}`, { path, where: `a schema of ${site.name}`, schema, value });
    }
  }
  const { deciderOf } = createSchemaFunctions(copies);
  return [...examples.values()].map(({ path, where, schema, value }) => ({
    path,
    where,
    problems:
      schema === undefined
        ? []
        : violationsWithinLimit(value, () =>
            deciderOf(schema)(value)
              ? []
              : explainSchema({ schemas: copies.all, formats: knownFormats }, schema, value, maxProblems),
          ).map(({ pointer, message }) => `${pointer || 'it'} ${message}`),
  }));
}

/** Returns the values of `example` and `examples` next to a schema. Values for a `contentSchema` are decoded. */
function shownAt({ document, follow, resolve }: Contract, { pointer, path }: SchemaLocation): Shown[] {
  const end = /\/schema(\/contentSchema)?$/.exec(pointer)?.[0];
  const around = end === undefined ? undefined : resolvePointer(document, pointer.slice(0, -end.length));
  if (end === undefined || !isObject(around)) return [];
  const way = path.slice(0, -end.length);
  const [mediaType = ''] = pointerTokens(pointer.slice(0, -end.length)).slice(-1);
  // The text of a format such as XML does not have the type of the schema, which describes what it is parsed to.
  const isText = (value: unknown) =>
    typeof value === 'string' &&
    mediaType.includes('/') &&
    isUnread({ mediaType, schema: around.schema }, resolve);
  const named = isObject(around.examples) ? Object.entries(around.examples) : [];
  const shown = [
    ...('example' in around ? [{ value: around.example, path: `${way}/example` }] : []),
    ...named.flatMap(([name, given]) => {
      const { node } = follow(given);
      return 'value' in node
        ? [{ value: node.value, path: `${way}/examples/${escapePointer(name)}/value` }]
        : [];
    }),
  ];
  return end === '/schema'
    ? shown.filter(({ value }) => !isText(value))
    : shown.map((each) => ({ ...each, value: decoded(around.schema, each.value) }));
}

/**
 * Parses text as JSON. If the schema has a `contentEncoding`, the text is decoded first. Text that is not JSON is
 * returned unchanged, so that its validation fails.
 */
function decoded(schema: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const encoding = isObject(schema) ? schema.contentEncoding : undefined;
  try {
    return JSON.parse(
      typeof encoding === 'string' ? Buffer.from(value, 'base64url').toString('utf8') : value,
    );
  } catch {
    return value;
  }
}

/** Returns the examples inside a schema and its subschemas, following references. Visits each schema once. */
function ofSchemas({ document, resolve }: Contract, site: SchemaLocation): (Shown & { pointer: string })[] {
  const found: (Shown & { pointer: string })[] = [];
  const seen = new Set<string>();
  const visit = (schema: unknown, pointer: string, path: string): void => {
    if (!isObject(schema) || seen.has(pointer)) return;
    seen.add(pointer);
    if ('example' in schema)
      found.push({ value: schema.example, pointer: `${pointer}/example`, path: `${path}/example` });
    if (Array.isArray(schema.examples))
      for (const [index, value] of schema.examples.entries())
        found.push({ value, pointer: `${pointer}/examples/${index}`, path: `${path}/examples/${index}` });
    for (const { at, schema: inner } of subschemasOf(schema)) visit(inner, pointer + at, path + at);
    if (typeof schema.$ref === 'string') visit(resolve(schema.$ref), pointerOf(schema.$ref), path);
  };
  visit(resolvePointer(document, site.pointer), site.pointer, site.path);
  return found;
}
