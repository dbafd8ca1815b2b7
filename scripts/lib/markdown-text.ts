import { replaceControlCharacters } from '../../server/lib/terminal.ts';

/** Line breaks end list items, table rows and headings, so texts of documents are written in one line. */
const oneLine = (text: string): string => replaceControlCharacters(text.replaceAll(/[\t\n\r]+/g, ' '));

/** An empty comment separates characters that GitHub would otherwise turn into a mention, a reference or a link. */
const separator = '<!-- -->';

/**
 * Escapes text for one line of Markdown, also in a cell of a table. The text creates no markup, HTML, mention, reference
 * to an issue, or link.
 */
export const markdownText = (text: string): string =>
  oneLine(text)
    .replaceAll(/[\\`*_{}[\]<>&#|~@]/g, (sign) => signs[sign] ?? `\\${sign}`)
    .replaceAll(/:(?=\/\/)|(?<=www)\./gi, `$&${separator}`);

const signs: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '@': `@${separator}`,
  '#': `#${separator}`,
};

/** Formats text as code in a line of Markdown. */
export function markdownCode(text: string): string {
  const content = oneLine(text);
  const fence = '`'.repeat(longestRun(content) + 1);
  // Markdown removes one space at both ends.
  const space = /^[` ]|[` ]$/.test(content) ? ' ' : '';
  return content === '' ? '' : `${fence}${space}${content}${space}${fence}`;
}

/**
 * Formats lines as a code block.
 * @param language for highlighting
 */
export function markdownBlock(lines: readonly string[], language = ''): string[] {
  const fence = '`'.repeat(Math.max(2, longestRun(lines.join('\n'))) + 1);
  return [`${fence}${language}`, ...lines.map(oneLine), fence];
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
