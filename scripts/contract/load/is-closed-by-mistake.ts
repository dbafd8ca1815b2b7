import { isObject } from '../../../server/lib/json-object.ts';
import { dereference } from '../../lib/json-pointer.ts';

/** Maximum depth of nested `allOf`. It may be circular. */
const maxDepth = 10;

/**
 * Whether a schema forbids, with `additionalProperties: false`, properties that its own `allOf` requires or describes as
 * required. No value would be valid, because `additionalProperties` does not see the properties of `allOf`.
 */
export function isClosedByMistake(document: object, schema: Record<string, unknown>): boolean {
  if (schema.additionalProperties !== false || !Array.isArray(schema.allOf)) return false;
  if (schema.patternProperties !== undefined) return false;
  const parts = schema.allOf.flatMap((part) => partsOf(document, part));
  const described = new Set(parts.flatMap((part) => Object.keys(objectOf(part.properties))));
  const own = objectOf(schema.properties);
  const requiredHere = namesIn(schema.required).filter((name) => described.has(name));
  return [...requiredHere, ...parts.flatMap((part) => namesIn(part.required))].some(
    (name) => !Object.hasOwn(own, name),
  );
}

/** Returns a schema and the parts of its `allOf`, at any depth. */
function partsOf(document: object, part: unknown, depth = 0): Record<string, unknown>[] {
  const schema = dereference(document, part);
  if (!isObject(schema) || depth > maxDepth) return [];
  const parts: unknown[] = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [schema, ...parts.flatMap((each) => partsOf(document, each, depth + 1))];
}

const namesIn = (required: unknown): string[] => (Array.isArray(required) ? required.map(String) : []);
const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
