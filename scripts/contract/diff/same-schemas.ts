import { isObject } from '../../../server/lib/json-object.ts';
import { referencesIn, targetOf } from '../../lib/json-pointer.ts';
import { canonicalJson, type JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { isOpenEnum } from '../model/reader-view.ts';

/** Whether two schemas are the same, with everything that they refer to. */
export type AreSame = (one: JsonSchema, other: JsonSchema) => boolean;

/**
 * Returns a function that compares a schema of one document with a schema of another by their text.
 * @param ignored `views`: what the views of writers and readers change does not count, which is whether an object is closed,
 * and the values of open enumerations
 */
export function sameSchemas(one: SchemaContext, other: SchemaContext, ignored?: 'views'): AreSame {
  const textOf = (node: unknown): string => canonicalJson(ignored ? withoutViews(node) : node);
  const reached = new Map<string, boolean>();
  /** Whether the target of a reference, and those of all references from there, have the same texts. */
  const isSameTarget = (reference: string): boolean => {
    const known = reached.get(reference);
    if (known !== undefined) return known;
    const all = new Set([reference]);
    for (const each of all) {
      if (reached.get(each) === true) continue;
      const target = targetOf(one.document, each);
      if (reached.get(each) === false || textOf(target) !== textOf(targetOf(other.document, each))) {
        reached.set(reference, false);
        return false;
      }
      for (const next of referencesIn(target)) all.add(next);
    }
    // If all are the same, so is what each of them reaches.
    for (const each of all) reached.set(each, true);
    return true;
  };
  return (schema, counterpart) =>
    textOf(schema) === textOf(counterpart) && referencesIn(schema).every(isSameTarget);
}

const withoutViews = (node: unknown): unknown =>
  JSON.parse(
    JSON.stringify(node ?? null, (key, value: unknown) => {
      if (key === 'unevaluatedProperties' || (key === 'additionalProperties' && value === false))
        return undefined;
      return isObject(value) && isOpenEnum(value) ? { ...value, enum: undefined } : value;
    }),
  );
