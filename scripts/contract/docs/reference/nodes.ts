import { isObject, type JsonObject, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import { ownOf } from '../../../../server/lib/own-property.ts';
import type { Contract } from '../../model/contract.ts';

/** Returns an object with its references followed. The properties next to a reference take precedence. */
export function resolveNode({ follow }: Contract, given: unknown): JsonObject {
  const { node, siblings } = follow(given);
  return { ...node, ...siblings };
}

/** Returns a property that is an object; an empty one if it does not exist. */
export const nodeIn = (node: JsonObject, name: string): JsonObject => objectOf(ownOf(node, name));

export const listIn = (node: JsonObject, name: string): unknown[] => listOf(ownOf(node, name));

export const textIn = (node: JsonObject, name: string): string => {
  const value = ownOf(node, name);
  return typeof value === 'string' ? value : '';
};

/** Returns an example of a media type, a parameter or a header; undefined if it has none. @param at which of several, -1 for the last one */
export function exampleIn(contract: Contract, node: JsonObject, at = 0): unknown {
  if (node.example !== undefined) return node.example;
  const named = Object.values(nodeIn(node, 'examples')).at(at);
  if (named !== undefined) return resolveNode(contract, named).value;
  const schema = isObject(node.schema) ? resolveNode(contract, node.schema) : {};
  return schema.example ?? listIn(schema, 'examples')[0] ?? schema.default;
}
