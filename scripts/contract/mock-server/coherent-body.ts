import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { JsonSchema, SchemaObject } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { limitNames } from '../mock/page-names.ts';

type Change = (schemas: readonly SchemaObject[], value: unknown) => unknown;

/**
 * Makes a generated body plausible: lists have at most as many items as requested, their IDs ascend, references to an
 * enclosing object have its ID, and timestamps are in UTC with milliseconds. Skips changes that would make the body
 * invalid.
 * @param query the validated query parameters
 */
export function coherentBody(
  context: SchemaContext,
  schema: JsonSchema,
  body: unknown,
  query: Readonly<Record<string, unknown>>,
): unknown {
  const map = (change: Change) => (value: unknown) =>
    mapValue(context, schemasOf(context, schema), value, change);
  const steps = [
    map(inUtc),
    map(ascending),
    map(agreeing(context)),
    (value: unknown) => limited(value, query),
  ];
  return steps.reduce((value: unknown, step) => {
    const next = step(value);
    return context.isValid(schema, next) ? next : value;
  }, body);
}

/** Changes the values inside a value, and then the value itself. */
function mapValue(
  context: SchemaContext,
  schemas: readonly SchemaObject[],
  value: unknown,
  change: Change,
): unknown {
  const inside = (inner: readonly (JsonSchema | undefined)[], each: unknown) =>
    mapValue(
      context,
      inner.flatMap((schema) => (schema === undefined ? [] : schemasOf(context, schema))),
      each,
      change,
    );
  if (Array.isArray(value))
    return change(
      schemas,
      value.map((item) =>
        inside(
          schemas.map(({ items }) => items),
          item,
        ),
      ),
    );
  if (!isObject(value)) return change(schemas, value);
  const properties = Object.entries(value).map(([name, each]) => [
    name,
    inside(
      schemas.map((schema) => ownOf(schema.properties, name)),
      each,
    ),
  ]);
  return change(schemas, Object.fromEntries(properties));
}

/** Returns a schema and all schemas that apply to the same value. */
export function schemasOf(
  context: SchemaContext,
  schema: JsonSchema,
  within: readonly JsonSchema[] = [],
): SchemaObject[] {
  if (typeof schema === 'boolean' || within.includes(schema)) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  const others = [...($ref === undefined ? [] : [context.resolve($ref)]), ...allOf, ...anyOf, ...oneOf];
  return [schema, ...others.flatMap((each) => schemasOf(context, each, [...within, schema]))];
}

const inUtc: Change = (schemas, value) => {
  if (typeof value !== 'string' || !schemas.some(({ format }) => format === 'date-time')) return value;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? value : moment.toISOString();
};

const ascending: Change = (_schemas, value) => {
  const idOf = (item: unknown) => (isObject(item) && typeof item.id === 'number' ? item.id : undefined);
  return Array.isArray(value) && value.every((item) => idOf(item) !== undefined)
    ? value.toSorted((one, other) => (idOf(one) ?? 0) - (idOf(other) ?? 0))
    : value;
};

/** In an object, sets nested references to that object to its ID. */
const agreeing =
  (context: SchemaContext): Change =>
  (schemas, value) => {
    if (!isObject(value)) return value;
    const kinds: unknown[] = schemas
      .flatMap((schema) =>
        schema.properties?.id === undefined ? [] : schemasOf(context, schema.properties.id),
      )
      .flatMap((schema) => schema['x-id-of'] ?? []);
    if (kinds.length === 0) return value;
    const refer: Change = (inner, each) =>
      typeof each === typeof value.id && inner.some((schema) => kinds.includes(schema['x-id-of']))
        ? value.id
        : each;
    const nested = Object.entries(value).map(([name, each]) => {
      if (typeof each !== 'object' || each === null) return [name, each];
      const own = schemas.flatMap((schema) => schemasOf(context, ownOf(schema.properties, name) ?? true));
      return [name, mapValue(context, own, each, refer)];
    });
    return Object.fromEntries(nested);
  };

/** Shortens the list in a body to the requested number of items. */
function limited(body: unknown, query: Readonly<Record<string, unknown>>): unknown {
  const limit = limitNames
    .map((name) => Number(query[name]))
    .find((count) => Number.isInteger(count) && count >= 0);
  if (limit === undefined) return body;
  if (Array.isArray(body)) return body.slice(0, limit);
  const lists = isObject(body) ? Object.entries(body).filter(([, each]) => Array.isArray(each)) : [];
  const [list] = lists;
  return isObject(body) && lists.length === 1 && list && Array.isArray(list[1])
    ? { ...body, [list[0]]: list[1].slice(0, limit) }
    : body;
}
