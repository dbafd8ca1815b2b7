import { isObject } from '../instances/schema.ts';

/**
 * A document as it speaks of requests (`readOnly` properties are not sent), or of answers (`writeOnly` ones are not
 * expected).
 */
export function documentFor(direction: 'requests' | 'answers', document: object): object {
  const word = direction === 'requests' ? 'readOnly' : 'writeOnly';
  const marked = (schema: unknown): boolean =>
    isObject(schema) && (schema[word] === true || marked(target(schema)));
  const target = ({ $ref }: Record<string, unknown>): unknown =>
    typeof $ref === 'string' && $ref.startsWith('#/')
      ? $ref
          .slice(2)
          .split('/')
          .reduce<unknown>((node, step) => {
            const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
            return isObject(node) ? node[name] : undefined;
          }, document)
      : undefined;

  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy);
    if (!isObject(node)) return node;
    const { properties, required } = node;
    const left = isObject(properties)
      ? Object.keys(properties).filter((name) => marked(properties[name]))
      : [];
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => {
        if (name === 'properties' && isObject(value))
          return [
            name,
            copy(Object.fromEntries(Object.entries(value).filter(([each]) => !left.includes(each)))),
          ];
        if (name === 'required' && Array.isArray(required))
          return [name, required.filter((each) => !left.includes(each))];
        return [name, copy(value)];
      }),
    );
  };
  const made = copy(document);
  return isObject(made) ? made : {};
}
