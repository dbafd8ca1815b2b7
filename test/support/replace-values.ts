import type { JsonSchema, SchemaObject } from '../../scripts/testing/schema-values/schema.ts';
import type { SchemaContext } from '../../scripts/testing/schema-values/schema-context.ts';
import { isObject } from '../../server/lib/json-object.ts';
import { ownOf } from '../../server/lib/own-property.ts';

/** Returns another value for one whose schema is neither an array nor an object. */
export type ReplaceValue = (value: unknown, schema: SchemaObject, kind: string | undefined) => unknown;

/**
 * Replaces the values inside a value.
 * @param replace gets each value with its schema and the resource whose ID it is (`x-id-of`), if any
 */
export function replaceValues(
  context: Pick<SchemaContext, 'resolve'>,
  schema: JsonSchema,
  value: unknown,
  replace: ReplaceValue,
): unknown {
  const { properties, items, ...whole } = merged(context, schema);
  if (Array.isArray(value)) return value.map((item) => replaceValues(context, items ?? true, item, replace));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        replaceValues(context, ownOf(properties, name) ?? true, inner, replace),
      ]),
    );
  const kind = whole['x-id-of'];
  return value === null ? null : replace(value, whole, typeof kind === 'string' ? kind : undefined);
}

/** Merges a schema with those that it refers to. */
function merged(context: Pick<SchemaContext, 'resolve'>, schema: JsonSchema): SchemaObject {
  if (typeof schema === 'boolean') return {};
  const { $ref, allOf = [], anyOf = [], oneOf = [], ...own } = schema;
  const others = [...($ref === undefined ? [] : [context.resolve($ref)]), ...allOf, ...anyOf, ...oneOf].map(
    (each) => merged(context, each),
  );
  // What stands beside a reference takes precedence.
  const all = [...others.toReversed(), own];
  return Object.assign({}, ...all, {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
  });
}
