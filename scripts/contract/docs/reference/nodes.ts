import { isObject } from '../../../../server/lib/json-object.ts';
import { ownOf } from '../../../../server/lib/own-property.ts';
import { resolvePointer } from '../../../testing/schema-values/json-pointer.ts';

/** An object in the document, with its reference followed. */
export type Node = Record<string, unknown>;

/** Reads the parts of a document. */
export interface DocumentReader {
  /** Follows the references of a node. @returns the object; an empty one if it does not exist */
  resolve: (node: unknown) => Node;
}

export function createReader(document: object): DocumentReader {
  return {
    resolve(node) {
      let found: unknown = node;
      for (let steps = 0; isObject(found) && typeof found.$ref === 'string' && steps < 50; steps += 1) {
        const { $ref, ...siblings } = found;
        const target: unknown = resolvePointer(document, $ref.replace(/^#/, ''));
        found = isObject(target) ? { ...target, ...siblings } : undefined;
      }
      return isObject(found) ? found : {};
    },
  };
}

/** Returns a property that is an object; an empty one if it does not exist. */
export const nodeIn = (node: Node, name: string): Node => {
  const value = ownOf(node, name);
  return isObject(value) ? value : {};
};

export const listIn = (node: Node, name: string): unknown[] => {
  const value = ownOf(node, name);
  return Array.isArray(value) ? value : [];
};

export const textIn = (node: Node, name: string): string => {
  const value = ownOf(node, name);
  return typeof value === 'string' ? value : '';
};

/** Returns the first example of a media type or a parameter; undefined if it has no example. */
export function exampleIn({ resolve }: DocumentReader, node: Node): unknown {
  if (node.example !== undefined) return node.example;
  const [named] = Object.values(nodeIn(node, 'examples'));
  if (named !== undefined) return resolve(named).value;
  const schema = resolve(node.schema);
  return schema.example ?? listIn(schema, 'examples')[0] ?? schema.default;
}
