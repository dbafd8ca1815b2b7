import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { targetOf } from '../../lib/json-pointer.ts';

const combining = new Set(['allOf', 'anyOf', 'oneOf']);

/** Whether to omit the properties of the other direction, or to replace their schemas with one that rejects every value. */
export type MarkedProperties = 'left out' | 'forbidden';

/**
 * Returns the view of a document for requests (without `readOnly` properties) or responses (without `writeOnly`
 * properties).
 */
export function viewFor(
  direction: 'requests' | 'responses',
  document: object,
  marked: MarkedProperties = 'left out',
): object {
  const markedIn = markedPropertiesBy(
    (reference) => targetOf(document, reference),
    direction === 'requests' ? 'readOnly' : 'writeOnly',
  );
  const copy = (node: unknown, left: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((each) => copy(each, left));
    if (!isObject(node)) return node;
    const names = [...left, ...markedIn(node)];
    const made = Object.fromEntries(
      Object.entries(node).map(([name, value]) => {
        if (name === 'properties' && isObject(value)) return [name, properties(value, names)];
        if (name === 'required' && Array.isArray(value))
          return [name, value.filter((each) => !names.includes(each))];
        // Combined schemas omit the same properties.
        return [name, copy(value, combining.has(name) ? names : [])];
      }),
    );
    const { $ref: reference, ...rest } = made;
    if (typeof reference !== 'string') return made;
    const known = markedIn(targetOf(document, reference));
    if (names.every((name) => known.includes(name))) return made;
    return { ...rest, allOf: [...listOf(rest.allOf), { $ref: referenceWithout(reference, names) }] };
  };
  // Other references to the same schema need not omit the same properties, so each set of them has a copy.
  const copies: unknown[] = [];
  const places = new Map<string, number>();
  const referenceWithout = (reference: string, names: readonly string[]): string => {
    const key = JSON.stringify([reference, ...[...new Set(names)].sort()]);
    const place = places.get(key) ?? places.size;
    if (place === places.size) {
      places.set(key, place);
      copies[place] = copy(targetOf(document, reference), names);
    }
    return `#/x-copies/${place}`;
  };
  const properties = (given: Record<string, unknown>, left: readonly string[]) =>
    Object.fromEntries(
      Object.entries(given)
        .filter(([name]) => marked === 'forbidden' || !left.includes(name))
        .map(([name, property]) => [name, left.includes(name) ? false : copy(property, [])]),
    );
  const made = copy(document, []);
  return isObject(made) ? { ...made, 'x-copies': copies } : {};
}

/** Properties with `readOnly` are not in requests, those with `writeOnly` not in responses. */
export type Mark = 'readOnly' | 'writeOnly';

/**
 * Returns a function that lists the properties with a mark: those of a schema, and of all schemas combined with it.
 * @param resolve returns the target of a reference
 */
export function markedPropertiesBy(
  resolve: (reference: string) => unknown,
  mark: Mark,
): (schema: unknown) => string[] {
  /** Adds a schema and those combined with it. Each is read once, because many paths can lead to the same schema. */
  const collect = (schema: unknown, found: Set<Readonly<Record<string, unknown>>>): typeof found => {
    if (!isObject(schema) || found.has(schema)) return found;
    found.add(schema);
    if (typeof schema.$ref === 'string') collect(resolve(schema.$ref), found);
    for (const each of listOf(schema.allOf)) collect(each, found);
    return found;
  };
  const combinedWith = (schema: unknown) => [...collect(schema, new Set())];
  const isMarked = (schema: unknown) => combinedWith(schema).some((each) => each[mark] === true);
  return (schema) =>
    combinedWith(schema).flatMap(({ properties }) =>
      Object.entries(objectOf(properties)).flatMap(([name, property]) => (isMarked(property) ? [name] : [])),
    );
}
