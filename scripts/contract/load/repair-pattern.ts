/**
 * Converts a pattern to an ECMAScript regular expression with the flag `u`, which JSON Schema 2020-12 requires. Removes
 * needless escapes, escapes literal braces and hyphens, replaces `\A` and `\z` with `^` and `$`, removes the
 * slashes of `/^…/`, which would match no text, and simplifies nested repetition.
 * @returns undefined if the result is still not valid in ECMAScript
 */
export function repairPattern(pattern: string): string | undefined {
  const literal = /^\/(\^.*)\/([a-z]*)$/s.exec(pattern);
  if (literal) return literal[2]?.includes('i') ? undefined : repairPattern(literal[1] ?? '');
  if (isPattern(pattern)) return withoutNestedRepetition(pattern);
  const unescaped = pattern.replaceAll(/\\(.)/gs, (escaped, character: string) => {
    if (character === 'A') return '^';
    if (/z/i.test(character)) return '$';
    if (character === '-') return String.raw`\x2d`;
    return /[^\w^$\\.*+?()[\]{}|/]|_/.test(character) ? character : escaped;
  });
  // Without the flag, a brace that repeats nothing and a hyphen beside a class are literal.
  const tokens = /\\[pPu]\{[^}]*\}?|\\.|\[(?:\\.|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[{}\]]/gs;
  const repaired = isPattern(unescaped)
    ? unescaped
    : unescaped.replaceAll(tokens, (token) => {
        if (token.length === 1) return `\\${token}`;
        if (!token.startsWith('[')) return token;
        return token.replaceAll(/(\\[dsw])-(?!\])|-(?=\\[dsw])/gi, String.raw`$1\x2d`);
      });
  return isPattern(repaired) ? withoutNestedRepetition(repaired) : undefined;
}

/** Matches a group that repeats one character or class, and is itself repeated. It skips other classes and escapes. */
const nestedRepetition =
  /\((?:\?:)?(\[(?:\\.|[^\]\\])*\]|\\.|[^\\()[\]{}|*+?^$])([*+])\)([*+])|\\.|\[(?:\\.|[^\]\\])*\]/gs;

/**
 * Replaces `([a-z]*)*` with `[a-z]*`, which matches the same texts. The original takes exponential time for texts that do
 * not match. A pattern with references to groups is not changed.
 */
const withoutNestedRepetition = (pattern: string): string =>
  /\\[1-9k]/.test(pattern)
    ? pattern
    : pattern.replaceAll(nestedRepetition, (all, repeated?: string, inner?: string, outer?: string) =>
        repeated === undefined ? all : `${repeated}${inner === '+' && outer === '+' ? '+' : '*'}`,
      );

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}
