import { isObject } from '../../../server/lib/json-object.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { limitNames } from '../mock/page-names.ts';
import { type Change, changeBody, mapBody, schemasOfProperty } from './map-body.ts';

/**
 * Makes a generated body agree with itself and with the request: lists have at most as many items as requested, their IDs
 * ascend, and references to an enclosing object have its ID. Skips changes that would make the body invalid.
 * @param query the validated query parameters
 */
export function coherentBody(
  context: SchemaContext,
  schema: JsonSchema,
  body: unknown,
  query: Readonly<Record<string, unknown>>,
): unknown {
  const changed = changeBody(context, schema, body, [{ after: ascending }, { after: agreeing(context) }]);
  const next = limited(changed, query);
  return context.isValid(schema, next) ? next : changed;
}

const ascending: Change = (value) => {
  const idOf = (item: unknown) => (isObject(item) && typeof item.id === 'number' ? item.id : undefined);
  return Array.isArray(value) && value.every((item) => idOf(item) !== undefined)
    ? value.toSorted((one, other) => (idOf(one) ?? 0) - (idOf(other) ?? 0))
    : value;
};

/** In an object, sets nested references to that object to its ID. */
const agreeing =
  (context: SchemaContext): Change =>
  (value, { schemas }) => {
    if (!isObject(value)) return value;
    const kinds: unknown[] = schemasOfProperty(context, schemas, 'id').flatMap(
      (schema) => schema['x-id-of'] ?? [],
    );
    if (kinds.length === 0) return value;
    const refer: Change = (each, inner) =>
      typeof each === typeof value.id && inner.schemas.some((schema) => kinds.includes(schema['x-id-of']))
        ? value.id
        : each;
    const nested = Object.entries(value).map(([name, each]) => {
      if (typeof each !== 'object' || each === null) return [name, each];
      const place = { schemas: schemasOfProperty(context, schemas, name), name, depth: 0 };
      return [name, mapBody(context, place, each, { after: refer })];
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
