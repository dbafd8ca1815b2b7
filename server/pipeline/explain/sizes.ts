import { countCharacters } from '../../lib/ajv-runtime.ts';
import { isObject, listOf } from '../../lib/json-object.ts';
import type { Run } from './run.ts';

const keywords = ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties'] as const;

type Sizes = Partial<Record<(typeof keywords)[number], number>>;

/**
 * Whether a value has the sizes that a schema, the parts of its `allOf` and the schemas to which they refer demand. Keywords
 * that can take more than linear time, such as `pattern`, are skipped for other values.
 */
export function hasAllowedSize(schema: object, value: unknown, run: Run): boolean {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return true;
  const sizes = sizesOf(schema, run);
  if (typeof value === 'string') {
    const { maxLength = Number.POSITIVE_INFINITY, minLength = 0 } = sizes;
    if (value.length > 2 * maxLength) return false;
    if (minLength <= 1 && value.length <= maxLength) return value.length >= minLength;
    const length = countCharacters(value);
    return length <= maxLength && length >= minLength;
  }
  if (Array.isArray(value))
    return value.length <= (sizes.maxItems ?? value.length) && value.length >= (sizes.minItems ?? 0);
  return sizes.maxProperties === undefined || Object.keys(value).length <= sizes.maxProperties;
}

/** Schemas do not change, and belong to one contract. */
const known = new WeakMap<object, Sizes>();

/** Returns the sizes that a schema demands. */
export function sizesOf(schema: unknown, run: Run): Sizes {
  if (!isObject(schema)) return {};
  const before = known.get(schema);
  if (before) return before;
  const sizes = collectSizes(schema, run, new Set());
  known.set(schema, sizes);
  return sizes;
}

function collectSizes(schema: unknown, run: Run, visited: Set<unknown>): Sizes {
  if (!isObject(schema) || visited.has(schema)) return {};
  visited.add(schema);
  const sizes: Sizes = {};
  const add = (keyword: (typeof keywords)[number], limit: unknown) => {
    if (typeof limit !== 'number') return;
    const other = sizes[keyword] ?? limit;
    sizes[keyword] = keyword.startsWith('max') ? Math.min(other, limit) : Math.max(other, limit);
  };
  const parts = [
    ...listOf(schema.allOf),
    ...(typeof schema.$ref === 'string' ? [run.schemaOf(schema.$ref)] : []),
  ].map((part) => collectSizes(part, run, visited));
  for (const keyword of keywords) for (const each of [schema, ...parts]) add(keyword, each[keyword]);
  return sizes;
}
