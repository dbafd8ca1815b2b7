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
    if (typeof node.$ref === 'string') {
      const target = targetOf(document, node.$ref);
      // Other references to it need not omit the same properties.
      if (!names.every((name) => markedIn(target).includes(name))) {
        const { $ref: _reference, ...rest } = node;
        return copy({ ...rest, allOf: [...listOf(rest.allOf), target] }, left);
      }
    }
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => {
        if (name === 'properties' && isObject(value)) return [name, properties(value, names)];
        if (name === 'required' && Array.isArray(value))
          return [name, value.filter((each) => !names.includes(each))];
        // Combined schemas omit the same properties.
        return [name, copy(value, combining.has(name) ? names : [])];
      }),
    );
  };
  const properties = (given: Record<string, unknown>, left: readonly string[]) =>
    Object.fromEntries(
      Object.entries(given)
        .filter(([name]) => marked === 'forbidden' || !left.includes(name))
        .map(([name, property]) => [name, left.includes(name) ? false : copy(property, [])]),
    );
  const made = copy(document, []);
  return isObject(made) ? made : {};
}
