import { canonicalJson, isObject, type JsonSchema, type JsonType, type SchemaObject } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/**
 * Returns an additional schema for each branch of `oneOf`, so that a value of the branch matches no other branch. If
 * another branch could accept such a value, the schema requires a property of that branch with a wrong type. It is
 * `false` if another branch accepts all values of the branch.
 */
export function exclusiveBranches(context: SchemaContext, branches: readonly JsonSchema[]): JsonSchema[] {
  const objects = branches.map((branch) => objectSchema(context, branch));
  return objects.map((own) => {
    if (!own || own.additionalProperties === false) return true;
    const further = objects.map((other) =>
      other && other !== own ? wrongProperty(context, own, other) : {},
    );
    if (further.includes(undefined)) return false;
    const properties: Record<string, JsonSchema> = Object.assign({}, ...further);
    return { required: Object.keys(properties), properties };
  });
}

function objectSchema(context: SchemaContext, branch: JsonSchema): SchemaObject | undefined {
  if (!isObject(branch)) return undefined;
  const schema = branch.$ref === undefined ? branch : context.resolve(branch.$ref);
  return isObject(schema) && isObject(schema.properties) && (schema.type ?? 'object') === 'object'
    ? schema
    : undefined;
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
    canonicalJson(valuesOf(own.properties?.[name])) !== canonicalJson(valuesOf(other.properties?.[name]));
  const shared = names.filter((name) => Object.hasOwn(own.properties ?? {}, name));
  if ((other.required ?? []).some((name) => !required.includes(name)) || shared.some(differs)) return {};
  for (const name of names.filter((each) => !shared.includes(each))) {
    const wrong = (['boolean', 'string', 'null'] as const).find(
      (type) => !allows(context, other.properties?.[name] ?? true, type),
    );
    if (wrong !== undefined) return { [name]: { type: wrong } };
  }
  return names.length > shared.length ? {} : undefined;
}

/** Returns the keywords that limit the values of a property. */
const valuesOf = (schema: JsonSchema | undefined) =>
  isObject(schema) ? [schema.type, schema.enum, schema.const] : [];

const allows = (context: SchemaContext, schema: JsonSchema, type: JsonType): boolean => {
  const target = isObject(schema) && schema.$ref !== undefined ? context.resolve(schema.$ref) : schema;
  return !isObject(target) || target.type === undefined || [target.type].flat().includes(type);
};
