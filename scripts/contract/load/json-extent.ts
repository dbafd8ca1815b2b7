import { escapePointer } from '../../../server/lib/json-text.ts';

/** Documents nest values at most this deep. YAML parsers have the lower limit of 100 for a file. */
const maxDepth = 200;

/** An object has at most so many properties: libraries pass them as arguments of one call. */
const maxProperties = 50_000;

interface Extent {
  /** Number of characters as JSON, about. A value that occurs several times counts each time. */
  size: number;
  depth: number;
}

/** A value contains something that JSON does not have. */
export class NotJson extends Error {
  /** A JSON Pointer to it. */
  readonly pointer: string;
  constructor(value: unknown, pointer: string) {
    const shown = typeof value === 'number' ? value : Object.prototype.toString.call(value);
    super(`has ${shown}, which JSON does not have`);
    this.pointer = pointer;
  }
}

/**
 * Returns the size of a value as JSON, in characters, without writing it: aliases of YAML can make a file of 1 KB larger
 * than any memory.
 * @throws Error if the value contains itself, is too deep, or an object has too many properties; NotJson for infinite numbers,
 * sets and bytes, which YAML has
 */
export function jsonSizeOf(root: unknown): number {
  const known = new Map<object, Extent | 'open'>();
  const way: string[] = [];
  const measure = (value: unknown, level: number): Extent => {
    if (typeof value === 'string') return { size: value.length + 2, depth: 0 };
    if (!isJson(value)) throw new NotJson(value, way.map((step) => `/${escapePointer(step)}`).join(''));
    if (typeof value !== 'object' || value === null) return { size: 8, depth: 0 };
    const found = known.get(value);
    if (found === 'open') throw new Error('contains itself, by an alias');
    if (found && level + found.depth <= maxDepth) return found;
    if (found || level >= maxDepth) throw new Error(`has more than ${maxDepth} levels`);
    known.set(value, 'open');
    const extent = { size: 2, depth: 0 };
    const entries = Object.entries(value);
    if (entries.length > maxProperties && !Array.isArray(value))
      throw new Error(`has an object with more than ${maxProperties} properties`);
    for (const [key, each] of entries) {
      way.push(key);
      const inside = measure(each, level + 1);
      way.pop();
      extent.size += inside.size + key.length + 4;
      extent.depth = Math.max(extent.depth, inside.depth + 1);
    }
    known.set(value, extent);
    return extent;
  };
  return measure(root, 0).size;
}

/** Whether a value can be part of JSON. */
const isJson = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'object' ||
      [null, Object.prototype, Array.prototype].includes(value && Object.getPrototypeOf(value));
