import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import { selectedBranches } from '../../contract/compile/discriminator-branches.ts';
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
  { discriminator }: SchemaObject,
  branches: readonly JsonSchema[],
): JsonSchema[] {
  const { propertyName, mapping } = objectOf(discriminator);
  const pointers = branches.flatMap((branch) =>
    isObject(branch) && typeof branch.$ref === 'string' ? [pointerOf(branch.$ref)] : [],
  );
  const selected =
    typeof propertyName === 'string' && pointers.length === branches.length
      ? selectedBranches(document, propertyName, objectOf(mapping), pointers)
      : undefined;
  if (!selected) return branches.map(() => true);
  return pointers.map((pointer) => {
    const all = [...selected.pointers].filter(([, target]) => target === pointer).map(([value]) => value);
    const named = all.filter((value) => selected.values.includes(value));
    const values = named.length > 0 ? named : all;
    return { required: [String(propertyName)], properties: { [String(propertyName)]: { enum: values } } };
  });
}
