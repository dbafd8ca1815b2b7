import { resolvePointer } from '../schema-values/json-pointer.ts';
import { isObject } from '../schema-values/schema.ts';

/**
 * A document as it speaks of requests (`readOnly` properties are not sent), or of answers (`writeOnly` ones are not
 * expected).
 * @param marked what becomes of those properties: nothing is said of them, or they may not be there
 */
export function viewFor(
  direction: 'requests' | 'responses',
  document: object,
  marked: 'left out' | 'forbidden' = 'left out',
): object {
  const word = direction === 'requests' ? 'readOnly' : 'writeOnly';
  const target = ({ $ref }: Record<string, unknown>): unknown =>
    typeof $ref === 'string' && $ref.startsWith('#/') ? resolvePointer(document, $ref.slice(1)) : undefined;
  const isMarked = (schema: unknown): boolean =>
    isObject(schema) && (schema[word] === true || isMarked(target(schema)));

  /** The names of marked properties in a schema, in what it refers to, and in all that hold together with it. */
  const markedIn = (schema: unknown, within: readonly unknown[] = []): string[] => {
    if (!isObject(schema) || within.includes(schema)) return [];
    const own = Object.entries(isObject(schema.properties) ? schema.properties : {});
    const joined = [target(schema), ...(Array.isArray(schema.allOf) ? schema.allOf : [])];
    return [
      ...own.filter(([, property]) => isMarked(property)).map(([name]) => name),
      ...joined.flatMap((each) => markedIn(each, [...within, schema])),
    ];
  };

  const copy = (node: unknown, left: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((each) => copy(each, left));
    if (!isObject(node)) return node;
    const names = [...left, ...markedIn(node)];
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => {
        if (name === 'properties' && isObject(value)) return [name, properties(value, names)];
        if (name === 'required' && Array.isArray(value))
          return [name, value.filter((each) => !names.includes(each))];
        // What holds together with it leaves out the same.
        return [name, copy(value, name === 'allOf' ? names : [])];
      }),
    );
  };
  const properties = (given: Record<string, unknown>, left: readonly string[]) =>
    Object.fromEntries(
      Object.entries(given)
        .filter(([name]) => marked === 'forbidden' || !left.includes(name))
        .map(([name, property]) => [name, left.includes(name) ? { not: {} } : copy(property, [])]),
    );
  const made = copy(document, []);
  return isObject(made) ? made : {};
}
