const keywords = ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties'] as const;

/**
 * The sizes that schemas demand of a value. Keywords that can take more than linear time, such as `pattern`, are skipped for
 * values of other sizes.
 */
export type SizeLimits = Partial<Record<(typeof keywords)[number], number>>;

/** Returns the sizes that a schema demands itself, without those of its parts. */
export const sizesIn = (schema: object): SizeLimits =>
  Object.fromEntries(
    keywords
      .map((keyword): [string, unknown] => [keyword, Object.getOwnPropertyDescriptor(schema, keyword)?.value])
      .filter(([, limit]) => typeof limit === 'number'),
  );

/** Returns the sizes that two schemas demand of the same value. */
export function mergeSizes(one: SizeLimits, other: SizeLimits): SizeLimits {
  const merged = { ...one };
  for (const keyword of keywords) {
    const limits = [one[keyword], other[keyword]].filter((limit) => limit !== undefined);
    if (limits.length > 0)
      merged[keyword] = keyword.startsWith('max') ? Math.min(...limits) : Math.max(...limits);
  }
  return merged;
}
