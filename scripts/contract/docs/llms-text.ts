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
