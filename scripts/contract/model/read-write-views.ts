import { isObject, listOf } from '../../../server/lib/json-object.ts';
import { targetOf } from '../../lib/json-pointer.ts';
import { markedPropertiesBy } from './marked-properties.ts';

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
