/**
 * Whether an object in a JSON text has two properties with the same name. Parsers take different ones of them, so what
 * was validated may not be what a client reads (RFC 8259, section 4). The time is linear.
 * @param text valid JSON
 * @param value the parsed text
 */
export function hasDuplicateNames(text: string, value: unknown): boolean {
  // Most texts come from `JSON.stringify`, which writes each name once.
  return text.includes('{') && JSON.stringify(value) !== text && scan(text);
}

/** A string, or a character that begins, ends or separates values. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

function scan(text: string): boolean {
  /** The names of each open object; undefined for arrays. */
  const open: (Set<string> | undefined)[] = [];
  let previous = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token.startsWith('"') && (previous === '{' || previous === ',')) {
      const names = open.at(-1);
      const name: string = names && token.includes('\\') ? JSON.parse(token) : token.slice(1, -1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
    previous = token;
  }
  return false;
}
