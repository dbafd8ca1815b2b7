import { defineOwn } from '../lib/own-property.ts';

/** The defaults inside a value, as plain data. Nodes refer to each other by index, so that schemas may be recursive. */
export interface DefaultsPlan {
  /** The first node describes the whole value. */
  nodes: readonly DefaultsNode[];
}

export interface DefaultsNode {
  properties?: readonly PropertyDefault[];
  /** Nodes of the first items; -1 for an item without defaults. */
  prefix?: readonly number[];
  /** Node of all further items. */
  items?: number;
  /** Node of properties that are not declared. */
  additional?: number;
  /** Declared names, if there is a node for the others. */
  declared?: readonly string[];
}

export interface PropertyDefault {
  name: string;
  /** The value of a missing property. */
  default?: unknown;
  /** Node of the property's value. */
  node?: number;
}

/**
 * Fills the defaults of missing properties into a value, in place. Takes linear time.
 * @param value JSON, of any type
 */
export function fillDefaults({ nodes }: DefaultsPlan, value: unknown): void {
  fill(nodes, 0, value);
}

function fill(nodes: readonly DefaultsNode[], index: number, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = nodes[index];
  if (!node) return;
  if (Array.isArray(value)) fillItems(nodes, node, value);
  else if (!(value instanceof Uint8Array)) fillProperties(nodes, node, value);
}

function fillItems(nodes: readonly DefaultsNode[], { prefix = [], items }: DefaultsNode, list: unknown[]) {
  const end = items === undefined ? Math.min(prefix.length, list.length) : list.length;
  for (let at = 0; at < end; at += 1) {
    const inner = prefix[at] ?? items;
    if (inner !== undefined) fill(nodes, inner, list[at]);
  }
}

function fillProperties(nodes: readonly DefaultsNode[], node: DefaultsNode, object: object): void {
  const { properties = [], additional, declared = [] } = node;
  for (const each of properties) {
    if (!Object.hasOwn(object, each.name)) {
      if (each.default === undefined) continue;
      defineOwn(object, each.name, copyOf(each.default));
    }
    if (each.node !== undefined) fill(nodes, each.node, Reflect.get(object, each.name));
  }
  if (additional === undefined) return;
  const known = new Set(declared);
  for (const [name, inner] of Object.entries(object)) if (!known.has(name)) fill(nodes, additional, inner);
}

/** Copies a default, so that a handler cannot change that of the next request. */
export const copyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value;
