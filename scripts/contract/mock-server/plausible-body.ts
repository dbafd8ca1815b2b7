import { isObject, listOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { canonicalJson, type JsonSchema, type SchemaObject } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { schemasOf } from './coherent-body.ts';
import { plausibleScalar } from './plausible-scalar.ts';

/** Returns at most `count` generated values of a schema. */
type Generate = (schema: JsonSchema, count: number) => readonly unknown[];

/** Longer lists are cut, and empty ones filled, unless the schema needs it. */
const maxItems = 3;
/** Lists inside as many others are not filled, because recursive schemas never end. */
const maxDepth = 2;

/**
 * Makes a generated body readable: it has no undeclared properties, lists have 1 to 3 items, and texts and numbers fit the
 * name of their property and its format. It depends on the body only. Skips changes that would make it invalid.
 */
export function plausibleBody(
  context: SchemaContext,
  schema: JsonSchema,
  body: unknown,
  generate: Generate,
): unknown {
  const schemas = schemasOf(context, schema);
  const steps = [
    (value: unknown) => declared(context, schemas, value),
    (value: unknown) => withLists(context, schemas, value, { generate, depth: 0 }),
    (value: unknown) => withScalars(context, schemas, value, ''),
  ];
  return steps.reduce((value: unknown, step) => {
    const next = step(value);
    return context.isValid(schema, next) ? next : value;
  }, body);
}

/**
 * Replaces the values inside a body, or the body, with the examples of their schemas, or else with their defaults. Skips
 * those that do not conform.
 */
export function withSchemaExamples(context: SchemaContext, schema: JsonSchema, body: unknown): unknown {
  const changed = exemplary(context, [schema], body, 0);
  return context.isValid(schema, changed) ? changed : body;
}

/** @param index of the item around the value: items of a list have different examples */
function exemplary(
  context: SchemaContext,
  own: readonly JsonSchema[],
  value: unknown,
  index: number,
): unknown {
  const schemas = innerOf(context, own);
  const given = schemas.flatMap(({ example, examples, default: usual }) => [
    ...(example === undefined ? listOf(examples) : [example]),
    ...(usual === undefined ? [] : [usual]),
  ]);
  const conforming = given.filter((each) => own.every((schema) => context.isValid(schema, each)));
  if (conforming[index] !== undefined) return conforming[index];
  if (Array.isArray(value)) {
    const items = schemas.map((schema) => schema.items).filter(isDefined);
    return value.map((item, at) => exemplary(context, items, item, at));
  }
  if (!isObject(value)) return value;
  // Other branches of oneOf describe other values.
  const matching = schemas.filter((schema) => context.isValid(schema, value));
  const changed = Object.entries(value).map(([name, each]) => {
    const inner = matching.map(({ properties }) => ownOf(properties, name));
    return [name, exemplary(context, inner.filter(isDefined), each, index)];
  });
  return Object.fromEntries(changed);
}

const isDefined = (schema: JsonSchema | undefined): schema is JsonSchema => schema !== undefined;

const innerOf = (context: SchemaContext, inner: readonly (JsonSchema | undefined)[]): SchemaObject[] =>
  inner.filter(isDefined).flatMap((schema) => schemasOf(context, schema));

const mapProperties = (
  context: SchemaContext,
  schemas: readonly SchemaObject[],
  value: Record<string, unknown>,
  change: (inner: SchemaObject[], each: unknown, name: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const inner = schemas.map(({ properties }) => ownOf(properties, name));
      return [name, change(innerOf(context, inner), each, name)];
    }),
  );

/** Removes properties with random names, where others are declared. */
function declared(context: SchemaContext, schemas: readonly SchemaObject[], value: unknown): unknown {
  const inner = innerOf(
    context,
    schemas.map(({ items }) => items),
  );
  if (Array.isArray(value)) return value.map((item) => declared(context, inner, item));
  if (!isObject(value)) return value;
  const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)));
  const kept = Object.entries(value).filter(([name]) => names.size === 0 || names.has(name));
  return mapProperties(context, schemas, Object.fromEntries(kept), (own, each) =>
    declared(context, own, each),
  );
}

function withLists(
  context: SchemaContext,
  schemas: readonly SchemaObject[],
  value: unknown,
  { generate, depth }: { generate: Generate; depth: number },
): unknown {
  if (isObject(value))
    return mapProperties(context, schemas, value, (inner, each) =>
      withLists(context, inner, each, { generate, depth }),
    );
  if (!Array.isArray(value)) return value;
  const [items] = schemas.flatMap(({ items: each }) => (each === undefined ? [] : [each]));
  const isPlain = !schemas.some(
    (schema) => schema.prefixItems || schema.contains || schema.const || schema.enum,
  );
  if (!isPlain || items === undefined) return value;
  const least = Math.max(0, ...schemas.map(({ minItems = 0 }) => minItems));
  const most = Math.min(...schemas.map((schema) => schema.maxItems ?? Number.POSITIVE_INFINITY));
  const isFilled = value.length > 0 || depth >= maxDepth;
  const kept = isFilled
    ? value.slice(0, Math.max(least, maxItems))
    : generate(items, Math.min(most, maxItems));
  const distinct = new Map(kept.map((item) => [canonicalJson(item), item]));
  const inner = innerOf(context, [items]);
  return [...(distinct.size < least ? kept : distinct.values())].map((item) =>
    withLists(context, inner, item, { generate, depth: depth + 1 }),
  );
}

function withScalars(
  context: SchemaContext,
  schemas: readonly SchemaObject[],
  value: unknown,
  name: string,
): unknown {
  if (typeof value === 'string' || typeof value === 'number')
    return plausibleScalar(schemas, value, name, hashOf(String(value)));
  if (isObject(value))
    return mapProperties(context, schemas, value, (inner, each, own) =>
      withScalars(context, inner, each, own),
    );
  if (!Array.isArray(value)) return value;
  const inner = innerOf(
    context,
    schemas.map(({ items }) => items),
  );
  const seen = new Set<string>();
  return value.map((item) => {
    const changed = withScalars(context, inner, item, name);
    const key = canonicalJson(changed);
    // Lists may demand different items.
    if (seen.has(key)) return item;
    seen.add(key);
    return changed;
  });
}

/** Returns a 32-bit hash (FNV-1a), which differs for most texts. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
