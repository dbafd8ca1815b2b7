import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { pointerOf, targetOf } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Note } from './diagnosis.ts';
import { visitObjects } from './visit-objects.ts';

/** Maximum number of schemas and references that are read, several times if they depend on others: about 1 s. */
const maxRead = 2_000_000;

/**
 * Finds shared schemas to which no value conforms, because each value would have to contain another one: `A` requires a property
 * that is an `A`. Nothing is accepted for them, so they are only named.
 * @param document a bundled OpenAPI 3.1 document
 */
export function endlessSchemas(document: OpenApiDocument): Note[] {
  const targets = new Map<string, unknown>();
  const usersOf = new Map<string, Set<string>>();
  const search: Search = { finite: new Set(), read: 0 };
  const collect = (node: unknown, user: string | undefined): void => {
    const found = referencesIn(node);
    search.read += found.length;
    for (const reference of found) {
      const users = usersOf.get(reference) ?? new Set();
      usersOf.set(reference, users);
      if (user !== undefined) users.add(user);
      if (targets.has(reference)) continue;
      const target = targetOf(document, reference);
      targets.set(reference, target);
      left.push(reference);
    }
  };
  const left: string[] = [];
  collect(document, undefined);
  for (let at = left.pop(); at !== undefined && search.read <= maxRead; at = left.pop())
    collect(targets.get(at), at);

  // A value exists if it can be built from values that exist, so the schemas with one are found from the inside out.
  const { finite } = search;
  const waiting = new Set(targets.keys());
  for (const at of waiting) {
    waiting.delete(at);
    if (finite.has(at) || !hasValue(targets.get(at), search)) continue;
    finite.add(at);
    for (const user of usersOf.get(at) ?? []) waiting.add(user);
  }
  if (search.read > maxRead)
    return [
      { sentence: 'The schemas depend on each other too often to find those to which no value conforms.' },
    ];
  return [...targets.keys()]
    .filter((reference) => !finite.has(reference) && isObject(targets.get(reference)))
    .map((reference) => ({
      pointer: pointerOf(reference),
      sentence: `No value conforms to the schema at ${pointerOf(reference)}, because each one would have to contain another: requests with it are refused, and no example can be generated.`,
      fix: 'Make one of the properties on the way optional, or allow null or an empty list.',
    }));
}

interface Search {
  /** References for which values exist. */
  finite: Set<string>;
  /** Number of schemas and references read so far. */
  read: number;
}

/** Whether a value conforms to a schema, if values exist only for some references. Above the limit, always. */
function hasValue(schema: unknown, search: Search): boolean {
  const { finite } = search;
  search.read += 1;
  if (!isObject(schema) || search.read > maxRead) return true;
  const has = (inner: unknown) => hasValue(inner, search);
  if (typeof schema.$ref === 'string' && !finite.has(schema.$ref)) return false;
  if (schema.const !== undefined || schema.enum !== undefined) return true;
  if (!listOf(schema.allOf).every(has)) return false;
  for (const choices of [schema.anyOf, schema.oneOf].map(listOf))
    if (choices.length > 0 && !choices.some(has)) return false;
  const types = [schema.type].flat();
  return types.length === 0 || types.some((type) => hasValueOfType(schema, type, has));
}

function hasValueOfType(schema: JsonObject, type: unknown, has: (inner: unknown) => boolean): boolean {
  if (type === 'object')
    return listOf(schema.required).every((name) => has(ownOf(objectOf(schema.properties), String(name))));
  if (type !== 'array' || typeof schema.minItems !== 'number') return true;
  const first = listOf(schema.prefixItems);
  const given = first.slice(0, schema.minItems);
  return given.every(has) && (schema.minItems <= first.length || has(schema.items));
}

/** Returns the references in a part of a document, outside of data. */
function referencesIn(root: unknown): string[] {
  const found: string[] = [];
  visitObjects(root, ({ $ref }) => {
    if (typeof $ref === 'string') found.push($ref);
  });
  return found;
}
