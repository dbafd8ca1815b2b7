import { codeFigure } from './code-figure.ts';
import type { Guide } from './guides.ts';
import { escapeHtml } from './text.ts';

interface PageLink {
  title: string;
  href: string;
}

interface HomeOptions {
  title: string;
  summary: string;
  /** HTML of `home.md`, a file next to the contract; empty if it does not exist. */
  text: string;
  /** HTML of a request that readers can send, if any. */
  live: string;
  /** The tarball of the client, relative to the portal's root. */
  client: string | undefined;
  /** The guides by group. */
  groups: readonly { group: string; pages: readonly (PageLink & { guide?: Guide })[] }[];
}

/** Renders the home page: what the API is, a request that runs, and a door for each group of readers. */
export const homePage = ({ title, summary, text, live, client, groups }: HomeOptions): string => {
  const first = groups[0]?.pages[0];
  const start = first
    ? `<a class="button main" href="${escapeHtml(first.href)}">${escapeHtml(first.title)}</a> `
    : '';
  return `<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(summary)}</p>
<p>${start}<a class="button" href="reference.html">API reference</a></p>
<div class="doors">
${groups.map(door).join('\n')}
</div>
${live === '' ? '' : `<h2 id="try">Try it here</h2>\n<div class="samples">${live}</div>\n`}${text}${client === undefined ? '' : installLine(client)}`;
};

/** In a browser, the script of the page writes the tarball's URL into the command. */
const installLine = (client: string): string =>
  `<h2 id="client">Install the client</h2>\n${codeFigure({ text: `npm install ./${client}`, language: 'sh', label: 'Terminal', attributes: ` data-install="${escapeHtml(client)}"` })}`;

/** The navigation lists all guides, so a door has only the first ones. */
const maxOthers = 5;

/** The first guide of a group is where its readers begin. */
function door({ group, pages: [first, ...others] }: HomeOptions['groups'][number]): string {
  if (!first) return '';
  const link = ({ href, title }: PageLink) => `<a href="${escapeHtml(href)}">${escapeHtml(title)}</a>`;
  return `<section>
<h2>${escapeHtml(group)}</h2>
<p>${escapeHtml(first.guide?.summary ?? '')}</p>
<p class="first">${link(first)}</p>
<ul>${others
    .slice(0, maxOthers)
    .map((each) => `<li>${link(each)}</li>`)
    .join('')}</ul>
</section>`;
}

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
