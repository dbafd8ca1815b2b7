import { entriesOf, isObject, objectOf } from '../../../server/lib/json-object.ts';
import { unescapePointer } from '../../../server/lib/json-text.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { mappedPointer, selectedBranches } from '../../contract/compile/discriminator-branches.ts';
import { pointerOf } from '../../lib/json-pointer.ts';
import type { JsonSchema, SchemaObject } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/**
 * Returns a schema for each branch of `oneOf` or `anyOf` that allows only the values of the discriminator which select the
 * branch. It is `true` if there is no discriminator.
 * @param schema has the discriminator
 */
export function selectingSchemas(
  { document }: SchemaContext,
  schema: SchemaObject,
  branches: readonly JsonSchema[],
): JsonSchema[] {
  const selected = selectedBranches(document, { ...schema });
  if (!selected) return branches.map(() => true);
  const { property, pointers, values: named } = selected;
  return branches.map((branch) => {
    const own = pointerOf(String(isObject(branch) ? branch.$ref : undefined));
    const all = [...pointers].filter(([, target]) => target === own).map(([value]) => value);
    const preferred = all.filter((value) => named.includes(value));
    return {
      required: [property],
      properties: { [property]: { enum: preferred.length > 0 ? preferred : all } },
    };
  });
}

/**
 * Returns a schema that allows only the values of a discriminator which select the target of a reference: a shared schema that
 * has the discriminator, or inherits it through `allOf` (OpenAPI 3.1, section 4.8.25). It is `true` if there is no such
 * value.
 */
export function selectingHeir(context: SchemaContext, { $ref = '' }: SchemaObject): JsonSchema {
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec($ref) ?? [];
  if (name === undefined) return true;
  const parts = partsOf(context, { $ref });
  const { discriminator } = parts.find((part) => part.discriminator && !part.oneOf && !part.anyOf) ?? {};
  const { propertyName: property, mapping } = objectOf(discriminator);
  if (typeof property !== 'string') return true;
  const mapped = entriesOf(mapping).filter(([, target]) => mappedPointer(String(target)) === pointerOf($ref));
  const values = mapped.length > 0 ? mapped.map(([value]) => value) : [unescapePointer(name)];
  const allowed = values.filter((value) =>
    parts.every((part) => context.isValid(ownOf(part.properties, property) ?? true, value)),
  );
  return allowed.length === 0 ? true : { properties: { [property]: { enum: allowed } } };
}

/** Returns the target of a reference, and what it includes through `allOf` and references. */
function partsOf(context: SchemaContext, schema: JsonSchema, known = new Set<JsonSchema>()): SchemaObject[] {
  if (typeof schema === 'boolean' || known.has(schema)) return [];
  known.add(schema);
  const { $ref, allOf = [], ...own } = schema;
  const inner = [...($ref === undefined ? [] : [context.resolve($ref)]), ...allOf];
  const isEmpty = $ref !== undefined && Object.keys(own).length === 0;
  return [...(isEmpty ? [] : [schema]), ...inner.flatMap((each) => partsOf(context, each, known))];
}
