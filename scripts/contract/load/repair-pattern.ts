/**
 * Converts a pattern to an ECMAScript regular expression with the flag `u`, which JSON Schema 2020-12 requires. Removes
 * needless escapes, replaces `\A` and `\z` with `^` and `$`, and removes the slashes of `/^…/`, which would match no text.
 * @returns undefined if the result is still not valid in ECMAScript
 */
export function repairPattern(pattern: string): string | undefined {
  const literal = /^\/(\^.*)\/([a-z]*)$/s.exec(pattern);
  if (literal) return literal[2]?.includes('i') ? undefined : repairPattern(literal[1] ?? '');
  if (isPattern(pattern)) return pattern;
  const repaired = pattern.replaceAll(/\\(.)/gs, (escaped, character: string) => {
    if (character === 'A') return '^';
    if (/z/i.test(character)) return '$';
    if (character === '-') return String.raw`\x2d`;
    return /[^\w^$\\.*+?()[\]{}|/]|_/.test(character) ? character : escaped;
  });
  return isPattern(repaired) ? repaired : undefined;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}
