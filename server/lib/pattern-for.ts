const patterns = new Map<string, RegExp>();
/** Maximum number of patterns that are kept. Those of a contract are known and few. */
const maxPatterns = 10_000;

/** Returns a pattern of a schema. */
export function patternFor(source: string): RegExp {
  const known = patterns.get(source);
  if (known) return known;
  const pattern = new RegExp(source, 'u');
  if (patterns.size < maxPatterns) patterns.set(source, pattern);
  return pattern;
}
