import { isObject } from '../../../server/lib/json-object.ts';
import { followReferences, isPureReference, targetOf } from '../../lib/json-pointer.ts';
import { subschemasOf } from '../../testing/schema-values/keywords.ts';
import { isSchema, type JsonSchema, type SchemaObject } from '../../testing/schema-values/schema.ts';

/** A normalized schema with the document that its references lead into. */
export interface SchemaSide {
  document: object;
  schema: JsonSchema;
}

/** Follows the references of a schema that consists only of a reference. */
export function resolveSide({ document, schema }: SchemaSide): JsonSchema {
  const resolve = (reference: string) => targetOf(document, reference) ?? true;
  const { node } = followReferences(schema, resolve, '', isPureReference);
  const target = isSchema(node) ? node : true;
  return isObject(target) && Object.keys(target).length === 0 ? true : target;
}

/**
 * Returns the branches of a schema's `anyOf` or `oneOf`. Every value of the schema matches at least one of them. The
 * other keywords of the schema are added to a branch that has none of them.
 * @returns undefined if the schema has neither keyword
 */
export function branchesOf(document: object, schema: SchemaObject): JsonSchema[] | undefined {
  const word = (['oneOf', 'anyOf'] as const).find((each) => Array.isArray(schema[each]));
  if (word === undefined) return undefined;
  const { [word]: branches = [], discriminator: _, ...rest } = schema;
  return branches.map((branch) => {
    const target = resolveSide({ document, schema: branch });
    return isObject(target) && !Object.keys(rest).some((key) => key in target)
      ? { ...rest, ...target }
      : branch;
  });
}

/** Returns the names of all properties in a schema, and in those that it refers to. */
export function propertyNamesOf({ document, schema }: SchemaSide): Set<string> {
  const names = new Set<string>();
  const seen = new Set<JsonSchema>();
  const visit = (each: JsonSchema): void => {
    if (typeof each === 'boolean' || seen.has(each)) return;
    seen.add(each);
    for (const name of Object.keys(each.properties ?? {})) names.add(name);
    for (const inner of subschemasOf(each)) visit(inner.schema);
    const target = each.$ref === undefined ? undefined : targetOf(document, each.$ref);
    if (isSchema(target)) visit(target);
  };
  visit(schema);
  return names;
}
