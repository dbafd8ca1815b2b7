import { isObject } from '../../../server/lib/json-object.ts';
import { mergeOwn, ownOf } from '../../../server/lib/own-property.ts';
import { objectSchema, resolved } from './object-schema.ts';
import { canonicalJson, type JsonSchema, type JsonType, type SchemaObject } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/**
 * Returns an additional schema for each branch of `oneOf`, so that a value of the branch matches no other branch. If
 * another branch could accept such a value, the schema requires a property of that branch with a wrong type. It is
 * `false` if another branch accepts all values of the branch.
 */
export function exclusiveBranches(context: SchemaContext, branches: readonly JsonSchema[]): JsonSchema[] {
  const objects = branches.map((branch) => objectSchema(context, branch));
  return objects.map((own) => {
    if (!own || [own.additionalProperties, own.unevaluatedProperties].includes(false)) return true;
    const further = objects.map((other) =>
      other && other !== own ? wrongProperty(context, own, other) : {},
    );
    if (further.includes(undefined)) return false;
    const properties = mergeOwn(further);
    return { required: Object.keys(properties), properties };
  });
}

/**
 * Returns a property, with its schema, that keeps the values of `own` from matching `other`. Returns an empty object if
 * none is needed, and undefined if there is no such property.
 */
function wrongProperty(
  context: SchemaContext,
  own: SchemaObject,
  other: SchemaObject,
): Record<string, JsonSchema> | undefined {
  const [required, names] = [own.required ?? [], Object.keys(other.properties ?? {})];
  const differs = (name: string) =>
    canonicalJson(valuesOf(context, ownOf(own.properties, name))) !==
    canonicalJson(valuesOf(context, ownOf(other.properties, name)));
  const shared = names.filter((name) => Object.hasOwn(own.properties ?? {}, name));
  if ((other.required ?? []).some((name) => !required.includes(name))) return {};
  const different = shared.find(differs);
  if (different !== undefined) return { [different]: true };
  for (const name of names.filter((each) => !shared.includes(each))) {
    const wrong = (['boolean', 'string', 'null'] as const).find(
      (type) => !allows(context, ownOf(other.properties, name) ?? true, type),
    );
    if (wrong !== undefined) return { [name]: { type: wrong } };
  }
  return names.length > shared.length ? {} : undefined;
}

/** Returns the keywords that limit the values of a property. */
const valuesOf = (context: SchemaContext, schema: JsonSchema | undefined) => {
  const target = resolved(context, schema ?? true);
  return isObject(target) ? [target.type, target.enum, target.const] : [];
};

const allows = (context: SchemaContext, schema: JsonSchema, type: JsonType): boolean => {
  const target = resolved(context, schema);
  return !isObject(target) || target.type === undefined || [target.type].flat().includes(type);
};
