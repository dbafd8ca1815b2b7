import { countCharacters } from '../../lib/ajv-runtime.ts';
import { isObject, listOf } from '../../lib/json-object.ts';
import { mergeSizes, type SizeLimits, sizesIn } from '../../lib/size-limits.ts';
import type { Run } from './run.ts';

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
const known = new WeakMap<object, SizeLimits>();

/** Returns the sizes that a schema demands. */
export function sizesOf(schema: unknown, run: Run): SizeLimits {
  if (!isObject(schema)) return {};
  const before = known.get(schema);
  if (before) return before;
  const sizes = collectSizes(schema, run, new Set());
  known.set(schema, sizes);
  return sizes;
}

function collectSizes(schema: unknown, run: Run, visited: Set<unknown>): SizeLimits {
  if (!isObject(schema) || visited.has(schema)) return {};
  visited.add(schema);
  return [...listOf(schema.allOf), ...(typeof schema.$ref === 'string' ? [run.schemaOf(schema.$ref)] : [])]
    .map((part) => collectSizes(part, run, visited))
    .reduce(mergeSizes, sizesIn(schema));
}
