import type { DefaultsNode, DefaultsPlan, PropertyDefault } from '../../../server/contract/defaults.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { hasJsonType } from '../../../server/lib/json-type.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { oncePer } from '../../lib/once.ts';

type Resolve = (reference: string) => unknown;

/** Maximum number of nodes. Each is a combination of schemas that describe the same value. */
const maxNodes = 20_000;

/**
 * Returns the defaults that apply inside a value of a schema; undefined if the schema has no defaults. It follows references,
 * properties, items and `allOf`, but not schemas that may not apply, such as those of `oneOf`. A default is ignored if its
 * property is required or read-only, because a missing value would become valid, or one that clients may not send would
 * appear. It is ignored, too, if it has another type than its schema demands.
 * @param resolve returns the schema to which a reference leads
 * @throws Error if the schemas can be combined in too many ways
 */
export function defaultsOf(schema: unknown, resolve: Resolve): DefaultsPlan | undefined {
  // The same object for the same reference, so that nodes can be compared by identity.
  const follow = oncePer(resolve);
  const ids = new Map<JsonObject, number>();
  const idOf = (node: JsonObject): number => {
    const id = ids.get(node) ?? ids.size;
    ids.set(node, id);
    return id;
  };
  const indexes = new Map<string, number>();
  const pending: JsonObject[][] = [];
  /** Returns the index of the node for schemas that describe the same value. */
  const indexOf = (schemas: readonly unknown[]): number => {
    const all = schemasOfValue(schemas, follow);
    const key = all
      .map(idOf)
      .sort((a, b) => a - b)
      .join();
    const known = indexes.get(key);
    if (known !== undefined) return known;
    if (indexes.size === maxNodes)
      throw new Error(`The schemas of a value can be combined in more than ${maxNodes} ways.`);
    indexes.set(key, indexes.size);
    pending.push(all);
    return indexes.size - 1;
  };
  indexOf([schema]);
  const nodes: DefaultsNode[] = [];
  for (let schemas = pending.shift(); schemas; schemas = pending.shift())
    nodes.push(nodeOfSchemas(schemas, indexOf, follow));
  const pruned = withoutEmptyNodes(nodes);
  return isEmpty(pruned[0]) ? undefined : { nodes: pruned };
}

/** Returns the default of a schema, or of one that it refers to; undefined if it has none, or none of its type. */
export function defaultOf(schema: unknown, resolve: Resolve): unknown {
  const all = schemasOfValue([schema], oncePer(resolve));
  if (all.some(({ readOnly }) => readOnly === true)) return undefined;
  const found = all.find((each) => 'default' in each)?.default;
  const isTyped = all.every((each) => !('type' in each) || hasJsonType(found, [each.type].flat()));
  return isTyped ? found : undefined;
}

/** Returns schemas together with those that describe the same value by `$ref` and `allOf`. */
function schemasOfValue(schemas: readonly unknown[], resolve: Resolve): JsonObject[] {
  const found = new Set<JsonObject>();
  const add = (schema: unknown): void => {
    if (!isObject(schema) || found.has(schema)) return;
    found.add(schema);
    if (typeof schema.$ref === 'string') add(resolve(schema.$ref));
    for (const part of listOf(schema.allOf)) add(part);
  };
  for (const schema of schemas) add(schema);
  return [...found];
}

function nodeOfSchemas(
  schemas: readonly JsonObject[],
  indexOf: (schemas: readonly unknown[]) => number,
  resolve: Resolve,
): DefaultsNode {
  const required = new Set(schemas.flatMap((each) => listOf(each.required)));
  const names = new Set(schemas.flatMap((each) => Object.keys(objectOf(each.properties))));
  const properties = [...names].map((name): PropertyDefault => {
    const own = schemas.flatMap((each) => schemasOfProperty(each, name));
    const value = required.has(name) ? undefined : defaultOf({ allOf: own }, resolve);
    return { name, node: indexOf(own), ...(value === undefined ? {} : { default: value }) };
  });
  const longest = Math.max(0, ...schemas.map((each) => listOf(each.prefixItems).length));
  const prefix = Array.from({ length: longest }, (_, at) =>
    indexOf(schemas.map((each) => listOf(each.prefixItems)[at] ?? each.items)),
  );
  return {
    properties,
    prefix,
    items: indexOf(schemas.map((each) => each.items)),
    additional: indexOf(schemas.map(additionalOf)),
    declared: [...names],
  };
}

function schemasOfProperty(schema: JsonObject, name: string): unknown[] {
  const own = ownOf(objectOf(schema.properties), name);
  return [own ?? additionalOf(schema)].filter(isObject);
}

/** Patterns are not matched here, so properties beside them are left alone. */
const additionalOf = (schema: JsonObject): unknown =>
  'patternProperties' in schema ? undefined : schema.additionalProperties;

/** Removes what leads to no default. */
function withoutEmptyNodes(nodes: readonly DefaultsNode[]): DefaultsNode[] {
  const useful = new Set<number>();
  const isUseful = (node: number | undefined): boolean => node !== undefined && useful.has(node);
  for (let before = -1; before !== useful.size; ) {
    before = useful.size;
    // Nodes mostly lead to later ones, so one round from the end finds most of them.
    for (let index = nodes.length - 1; index >= 0; index -= 1) {
      const { properties = [], prefix = [], items, additional } = nodes[index] ?? {};
      const inner = [...properties.map((each) => each.node), ...prefix, items, additional];
      if (properties.some((each) => each.default !== undefined) || inner.some(isUseful)) useful.add(index);
    }
  }
  const kept = nodes.flatMap((_, index) => (index === 0 || useful.has(index) ? [index] : []));
  const newIndexes = new Map(kept.map((index, at) => [index, at]));
  const indexOf = (node: number | undefined): number | undefined =>
    node !== undefined && useful.has(node) ? newIndexes.get(node) : undefined;
  return kept.map((index) => compact(nodes[index] ?? {}, indexOf));
}

function compact(
  { properties = [], prefix = [], items, additional, declared = [] }: DefaultsNode,
  indexOf: (node: number | undefined) => number | undefined,
): DefaultsNode {
  const ofProperties = properties.flatMap(({ node, ...rest }): PropertyDefault[] => {
    const inner = indexOf(node);
    if (inner === undefined) return rest.default === undefined ? [] : [rest];
    return [{ ...rest, node: inner }];
  });
  const ofPrefix = prefix.map((each) => indexOf(each) ?? -1);
  const [ofItems, ofOthers] = [indexOf(items), indexOf(additional)];
  return {
    ...(ofProperties.length > 0 ? { properties: ofProperties } : {}),
    ...(ofPrefix.some((each) => each >= 0) || (ofItems !== undefined && ofPrefix.length > 0)
      ? { prefix: ofPrefix }
      : {}),
    ...(ofItems === undefined ? {} : { items: ofItems }),
    ...(ofOthers === undefined ? {} : { additional: ofOthers, declared }),
  };
}

const isEmpty = (node: DefaultsNode | undefined): boolean => !node || Object.keys(node).length === 0;
