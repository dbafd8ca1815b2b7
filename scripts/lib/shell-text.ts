/** Characters that a shell or a terminal interprets even inside quotes, or that a terminal does not show. */
const special = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Quotes a text for Bash, so that it is one literal argument in one line. NUL, which arguments cannot contain, is replaced. */
export function shellQuoted(text: string): string {
  const known = text.toWellFormed().replaceAll('\0', '\ufffd');
  if (known.search(special) < 0) return `'${known.replaceAll("'", "'\\''")}'`;
  return `$'${known.replaceAll(/[\\']/g, '\\$&').replaceAll(special, escapeOf)}'`;
}

/** Quotes a text for Bash if it needs quotes. */
export const shellWord = (text: string): string => (/^[\w./@:+-]+$/.test(text) ? text : shellQuoted(text));

function escapeOf(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
