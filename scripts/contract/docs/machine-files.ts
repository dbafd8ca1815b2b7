import type { ReferenceEntry } from './reference/entries.ts';

/** A page with its Markdown, for readers that are programs. */
export interface MarkdownPage {
  title: string;
  /** The Markdown file, relative to the portal's root. */
  file: string;
  /** One sentence, or empty. */
  summary: string;
  /** The part of the list that the page is in. */
  group: string;
}

/**
 * Returns `llms.txt`, the list of all pages in Markdown (https://llmstxt.org).
 * @param downloads files for programs
 */
export function llmsText(
  title: string,
  summary: string,
  pages: readonly MarkdownPage[],
  downloads: readonly { title: string; href: string }[],
): string {
  const groups = Map.groupBy(pages, ({ group }) => group);
  const parts = [...groups].map(([group, listed]) => {
    const lines = listed.map(
      (page) => `- [${page.title}](${page.file})${page.summary === '' ? '' : `: ${page.summary}`}`,
    );
    return `## ${group}\n\n${lines.join('\n')}\n`;
  });
  const files = downloads.map((file) => `- [${file.title}](${file.href})`);
  return `# ${title}\n\n> ${summary}\n\n${parts.join('\n')}\n## Files\n\n${files.join('\n')}\n`;
}

/** Returns the Markdown page of an operation or an event. */
export const referenceMarkdownPage = ({ title, href, method, path, kind }: ReferenceEntry): MarkdownPage => ({
  title,
  file: markdownFile(href),
  summary: kind === 'event' ? '' : `${method.toUpperCase()} ${path}`,
  group: kind === 'event' ? 'Events' : 'Operations',
});

/** Returns the Markdown file of a page. */
export const markdownFile = (href: string): string => href.replace(/\.html$/, '.md');

/** Changes the links of Markdown that is written into another folder. Links with a scheme and to sections stay. */
export const linksFrom = (markdown: string, up: string): string =>
  markdown.replaceAll(/\]\((?![a-z][\w+.-]*:|#|\/)/gi, `](${up}`);
