import type { NavItem, Page } from './layout.ts';

/**
 * Returns `llms.txt`, the list of all pages in Markdown (https://llmstxt.org).
 * @param downloads files for programs
 */
export function llmsText(
  title: string,
  summary: string,
  pages: readonly Page[],
  downloads: readonly NavItem[],
): string {
  const listed = pages.flatMap(({ title, description, markdown }) =>
    markdown ? [{ ...markdown, line: `- [${title}](${markdown.file}): ${description}` }] : [],
  );
  const parts = [...Map.groupBy(listed, ({ group }) => group)].map(
    ([group, all]) => `## ${group}\n\n${all.map(({ line }) => line).join('\n')}\n`,
  );
  const files = downloads.map((file) => `- [${file.title}](${file.href})`);
  return `# ${title}\n\n> ${summary}\n\n${parts.join('\n')}\n## Files\n\n${files.join('\n')}\n`;
}

/**
 * Returns a script that sets a global. Unlike a JSON file, it can be loaded by a page that is opened from disk. It parses
 * JSON, because an object literal with the name `__proto__` would set the prototype.
 */
export const globalScript = (name: string, value: unknown): string =>
  `window.${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`;
