import { isObject, listOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { canonicalJson, type JsonSchema, type SchemaObject } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { type Change, changeBody, mapBody, schemasOf } from './map-body.ts';
import { plausibleScalar } from './plausible-scalar.ts';

/**
 * Returns at most `count` generated values of a schema.
 * @param depth number of lists and objects around each value
 */
type Generate = (schema: JsonSchema, count: number, depth: number) => readonly unknown[];

/** Longer lists are cut, and empty ones filled, unless the schema needs it. */
const maxItems = 3;
/** Lists inside as many lists and objects are not filled, because recursive schemas never end. */
const maxDepth = 5;

/**
 * Makes a generated body readable: it has no undeclared properties, lists have 1 to 3 items, and texts and numbers fit the
 * name of their property and its format. It depends on the body only. Skips changes that would make it invalid.
 */
export const plausibleBody = (
  context: SchemaContext,
  schema: JsonSchema,
  body: unknown,
  generate: Generate,
): unknown =>
  changeBody(context, schema, body, [
    { before: declared },
    { before: withItems(generate) },
    { after: withScalars },
  ]);

/** Removes properties with random names, where others are declared. */
const declared: Change = (value, { schemas }) => {
  const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)));
  return isObject(value) && names.size > 0
    ? Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
    : value;
};

const withItems =
  (generate: Generate): Change =>
  (value, { schemas, depth }) => {
    if (!Array.isArray(value)) return value;
    const items = schemas.find((schema) => schema.items !== undefined)?.items;
    const isPlain = !schemas.some(
      (schema) => schema.prefixItems || schema.contains || schema.const || schema.enum,
    );
    if (!isPlain || items === undefined) return value;
    const least = Math.max(0, ...schemas.map(({ minItems = 0 }) => minItems));
    const most = Math.min(...schemas.map((schema) => schema.maxItems ?? Number.POSITIVE_INFINITY));
    const isFilled = value.length > 0 || depth >= maxDepth;
    const kept = isFilled
      ? value.slice(0, Math.max(least, maxItems))
      : generate(items, Math.min(most, maxItems), depth + 1);
    const distinct = new Map(kept.map((item) => [canonicalJson(item), item]));
    return distinct.size < least ? kept : [...distinct.values()];
  };

const withScalars: Change = (value, { schemas, name }, original) => {
  if (typeof value === 'string' || typeof value === 'number')
    return plausibleScalar(schemas, value, name, hashOf(String(value)));
  if (!Array.isArray(value)) return value;
  const seen = new Set<string>();
  return value.map((item, at) => {
    const key = canonicalJson(item);
    // Lists may demand different items.
    if (seen.has(key)) return listOf(original)[at];
    seen.add(key);
    return item;
  });
};

/** Returns a 32-bit hash (FNV-1a), which differs for most texts. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Replaces the values inside a body, or the body, with the examples of their schemas, or else with their defaults. Skips
 * those that do not conform.
 */
export function withSchemaExamples(context: SchemaContext, schema: JsonSchema, body: unknown): unknown {
  const changed = exemplary(context, [schema], body, 0);
  return context.isValid(schema, changed) ? changed : body;
}

/** Leaves out the properties that a body must not have: its example may be shared with requests. */
export const withoutForbidden = (context: SchemaContext, schemas: readonly JsonSchema[], body: unknown) =>
  mapBody(context, { schemas: schemasOf(context, schemas), name: '', depth: 0 }, body, { before: allowed });

const allowed: Change = (value, { schemas }) =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(([name]) =>
          schemas.every(({ properties }) => ownOf(properties, name) !== false),
        ),
      )
    : value;

/** Returns the examples and the default of a schema, and between them those of the parts of `allOf`, joined. */
function examplesOf(
  context: SchemaContext,
  schema: SchemaObject,
  known = new Map<SchemaObject, unknown[]>(),
): unknown[] {
  const { example, examples, default: usual, allOf = [] } = schema;
  const found: unknown[] = known.get(schema) ?? [];
  if (known.has(schema)) return found;
  // Parts may lead back to the schema, and several of them to the same one.
  known.set(schema, found);
  const parts = allOf.map(
    (part) => schemasOf(context, [part]).flatMap((each) => examplesOf(context, each, known))[0],
  );
  const joined = parts.filter(isObject);
  found.push(
    ...(example === undefined ? listOf(examples) : [example]),
    ...(joined.length > 1 ? [Object.fromEntries(joined.flatMap(Object.entries))] : []),
    ...(usual === undefined ? [] : [usual]),
  );
  return found;
}

/** @param index of the item around the value: items of a list have different examples */
function exemplary(
  context: SchemaContext,
  own: readonly JsonSchema[],
  value: unknown,
  index: number,
): unknown {
  const schemas = schemasOf(context, own);
  const given = schemas
    .flatMap((schema) => examplesOf(context, schema))
    .map((each) => withoutForbidden(context, own, each));
  const conforming = given.filter((each) => own.every((schema) => context.isValid(schema, each)));
  if (conforming[index] !== undefined) return conforming[index];
  if (Array.isArray(value)) {
    const items = schemas.map((schema) => schema.items).filter((each) => each !== undefined);
    return value.map((item, at) => exemplary(context, items, item, at));
  }
  if (!isObject(value)) return value;
  // Other branches of a union describe other values.
  const hasBranches = schemas.some(({ anyOf, oneOf }) => anyOf ?? oneOf);
  const matching = hasBranches ? schemas.filter((schema) => context.isValid(schema, value)) : schemas;
  const changed = Object.entries(value).map(([name, each]) => {
    const inner = matching.map((schema) => ownOf(schema.properties, name) ?? schema.additionalProperties);
    const defined = inner.filter((schema) => schema !== undefined);
    return [name, exemplary(context, defined, each, index)];
  });
  return Object.fromEntries(changed);
}
