import { codeFigure } from './code-figure.ts';
import { type NavItem, type Page, rootFrom } from './layout.ts';
import { escapeHtml } from './text.ts';

interface HomeOptions {
  title: string;
  /** The purpose of the API, as the heading. If it is empty, the heading is the title. */
  summary: string;
  /** A sentence about the API. */
  lead: string;
  /** HTML of `home.md`, a file next to the contract; empty if it does not exist. */
  text: string;
  /** HTML of a request that readers can send, if any. */
  live: string;
  /** The tarball of the client, relative to the portal's root. */
  client: string | undefined;
  /** The guides by group. */
  groups: readonly { group: string; pages: readonly Pick<Page, 'title' | 'href' | 'description'>[] }[];
}

/** Renders the home page: what the API is, a door for each group of readers, and a request that runs. */
export function homePage({ title, summary, lead, text, live, client, groups }: HomeOptions): Page {
  const first = groups[0]?.pages[0];
  const html = `<div class="hero">
<div class="head">
<h1>${escapeHtml(summary || title)}</h1>
<p class="lead">${escapeHtml(lead)}</p>
<p>${first ? linkTo(first, 'button main') : ''} <a class="button" href="reference.html">API reference</a></p>
${live === '' ? '' : '<p class="small">Send a first request here, without an account.</p>\n'}</div>
${live === '' ? '' : `<aside class="samples" aria-label="Try it">${live}</aside>\n`}</div>
${text}<div class="doors">
${groups.map(door).join('\n')}
</div>
${client === undefined ? '' : installLine(client)}`;
  return { href: 'index.html', title, description: summary, html };
}

/** The script of the page writes the tarball's URL into the command. */
const installLine = (client: string): string =>
  `<h2 id="client">Install the client</h2>\n<p>Download <a href="${escapeHtml(client)}" download>${escapeHtml(client)}</a>, or let npm install it from this portal:</p>\n<div data-install="${escapeHtml(client)}">${codeFigure({ text: `npm install ./${client}`, language: 'sh', label: 'Terminal' })}</div>`;

/** The navigation lists all guides, so a door has only the first ones. */
const maxOthers = 2;

/** The first guide of a group is where its readers begin. */
function door({ group, pages: [first, ...others] }: HomeOptions['groups'][number]): string {
  if (!first) return '';
  const items = others.slice(0, maxOthers).map((each) => `<li>${linkTo(each)}</li>`);
  return `<section>
<h2>${escapeHtml(group)}</h2>
<p>${escapeHtml(first.description)}</p>
<ul><li><strong>${linkTo(first)}</strong></li>${items.join('')}</ul>
</section>`;
}

const linkTo = ({ href, title }: NavItem, kind = ''): string =>
  `<a${kind === '' ? '' : ` class="${kind}"`} href="${escapeHtml(href)}">${escapeHtml(title)}</a>`;

/** @param base the path of the portal on its host */
export const notFoundPage = (base: string): Page => {
  const root = `/${base}/`.replaceAll(/\/+/g, '/');
  return {
    href: '404.html',
    root,
    title: 'Not found',
    description: 'Page not found.',
    html: `<h1>Page not found</h1>\n<p>It may have moved. Use the search, or go to the <a href="${escapeHtml(root)}index.html">start page</a>.</p>\n`,
  };
};

/** Adds links to the previous and next page to pages in an order. */
export const withPager = (pages: readonly Page[]): Page[] =>
  pages.map((page, at) => {
    const link = (rel: string, other: Page | undefined, before: string, after: string) =>
      other
        ? `<a rel="${rel}" href="${escapeHtml(rootFrom(page.href) + other.href)}">${before}${escapeHtml(other.title)}${after}</a>`
        : '';
    const links = link('prev', pages[at - 1], '← ', '') + link('next', pages[at + 1], '', ' →');
    return { ...page, html: `${page.html}<nav class="pager" aria-label="Other pages">${links}</nav>\n` };
  });
