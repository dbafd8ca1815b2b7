/** Whether a value has one of the types that the keyword `type` of JSON Schema names. */
export function hasJsonType(value: unknown, types: readonly unknown[]): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  // `JSON.parse` reads 1e400 as Infinity.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return false;
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value);
}
