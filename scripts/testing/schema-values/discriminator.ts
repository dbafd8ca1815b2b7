import { isObject } from '../../../server/lib/json-object.ts';
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
