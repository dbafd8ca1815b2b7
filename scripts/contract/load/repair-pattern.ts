/**
 * Returns a pattern as a regular expression of ECMAScript with the flag `u`, which JSON Schema 2020-12 asks for: without
 * needless escapes, and with `^` and `$` for `\A` and `\z`. Undefined if the pattern is of another dialect.
 */
export function repairPattern(pattern: string): string | undefined {
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
