import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { objectSchema, resolved } from './object-schema.ts';
import type { JsonSchema, SchemaObject } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/**
 * Returns a schema for each branch of `oneOf` or `anyOf` that allows only the values of the discriminator which select the
 * branch. Validators choose the branch by this value. It is `true` if there is no discriminator, or the branch itself
 * lists its values.
 * @param schema has the discriminator
 */
export function selectingSchemas(
  context: SchemaContext,
  { discriminator }: SchemaObject,
  branches: readonly JsonSchema[],
): JsonSchema[] {
  const { propertyName, mapping } = isObject(discriminator) ? discriminator : {};
  if (typeof propertyName !== 'string') return branches.map(() => true);
  return branches.map((branch) => {
    if (!isObject(branch) || branch.$ref === undefined) return true;
    const own = resolved(context, ownOf(objectSchema(context, branch)?.properties, propertyName) ?? true);
    if (isObject(own) && (own.enum !== undefined || own.const !== undefined)) return true;
    const target = fragmentOf(branch.$ref);
    const mapped = Object.entries(isObject(mapping) ? mapping : {})
      .filter(([, reference]) => fragmentOf(String(reference)) === target)
      .map(([value]) => value);
    const values = mapped.length > 0 ? mapped : [target.slice(target.lastIndexOf('/') + 1)];
    return { required: [propertyName], properties: { [propertyName]: { enum: values } } };
  });
}

const fragmentOf = (reference: string): string => reference.slice(reference.indexOf('#'));
