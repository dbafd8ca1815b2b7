import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { pointerOf, targetOf } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Note } from './diagnosis.ts';
import { visitObjects } from './visit-objects.ts';

/** Maximum number of schemas that are read, several times if they depend on others: about 1 s. */
const maxRead = 2_000_000;

/**
 * Finds shared schemas to which no value conforms, because each value would have to contain another one: `A` requires a property
 * that is an `A`. Nothing is accepted for them, so they are only named.
 * @param document a bundled OpenAPI 3.1 document
 */
export function endlessSchemas(document: OpenApiDocument): Note[] {
  const targets = new Map<string, unknown>();
  visitObjects(document, ({ $ref }) => {
    if (typeof $ref === 'string') targets.set($ref, targetOf(document, $ref));
  });
  // A value exists if it can be built from values that exist, so the schemas with one are found from the inside out.
  const search: Search = { finite: new Set(), read: 0 };
  const { finite } = search;
  const inOrder = [...targets];
  for (let before = -1; before !== finite.size && search.read <= maxRead; ) {
    before = finite.size;
    // Shared schemas mostly refer to later ones. The next pass has the other order, for those that refer to earlier ones.
    for (const [reference, target] of inOrder.reverse())
      if (!finite.has(reference) && hasValue(target, search)) finite.add(reference);
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
  /** Number of schemas read so far. */
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
