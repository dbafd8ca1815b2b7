import type { Guide } from './guides.ts';
import { escapeHtml } from './text.ts';

interface PageLink {
  title: string;
  href: string;
}

interface HomeOptions {
  title: string;
  summary: string;
  /** The guides by group. The page shows the first two code samples of the first guide. */
  groups: readonly { group: string; pages: readonly (PageLink & { guide?: Guide; html: string })[] }[];
  /** Other pages about the contract. */
  pages: readonly PageLink[];
}

/** Renders the home page: what the API is, how to start, and all pages by group. */
export function homePage({ title, summary, groups, pages }: HomeOptions): string {
  const [first] = groups[0]?.pages ?? [];
  const start = Array.from(
    (first?.html ?? '').matchAll(/<figure class="code".*?<\/figure>\n/gs),
    ([code]) => code,
  )
    .slice(0, 2)
    .join('');
  const cards = (heading: string, items: string[]) =>
    `<h2>${escapeHtml(heading)}</h2>\n<ul class="cards">\n${items.join('\n')}\n</ul>`;
  return `<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(summary)}</p>
${start && first ? `${start}<p><a href="${escapeHtml(first.href)}">${escapeHtml(first.title)} →</a></p>` : ''}
${groups
  .map(({ group, pages: guides }) =>
    cards(
      group,
      guides.map((each) => card(each.title, each.guide?.summary ?? '', each.href)),
    ),
  )
  .join('\n')}
${cards('Contract', [
  card('Reference', 'Every operation and event, with samples.', 'reference.html'),
  card('Console', 'Send requests, also without a server.', 'console.html'),
  ...pages.map((each) => card(each.title, contractFiles[each.href] ?? '', each.href)),
])}
<p>The OpenAPI document: <a href="openapi.json" download>openapi.json</a> · <a href="openapi.yaml" download>openapi.yaml</a></p>
`;
}

/** Descriptions of the pages that are made from files next to the contract. */
const contractFiles: Readonly<Record<string, string>> = {
  'changelog.html': 'The changes of each version.',
  'decisions.html': 'Questions that the specification leaves open, with answers.',
};

const card = (title: string, text: string, href: string): string =>
  `<li><a href="${escapeHtml(href)}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(text)}</span></a></li>`;

export const notFound = `<h1>Page not found</h1>
<p>It may have moved. Use the search, or go to the <a href="index.html">start page</a>.</p>
`;

/** Renders links to the previous and next page. The paths of all pages are relative to the portal's root. */
export function pager(page: string, before: PageLink | undefined, after: PageLink | undefined): string {
  const root = '../'.repeat(page.split('/').length - 1);
  const link = ({ title, href }: PageLink, rel: 'prev' | 'next') =>
    `<a rel="${rel}" href="${escapeHtml(root + href)}">${rel === 'prev' ? '← ' : ''}${escapeHtml(title)}${rel === 'next' ? ' →' : ''}</a>`;
  const links = [...(before ? [link(before, 'prev')] : []), ...(after ? [link(after, 'next')] : [])];
  return `<nav class="pager" aria-label="Other pages">${links.join('')}</nav>\n`;
}
