import { portalPolicy } from '../../../server/lib/portal-csp.ts';
import type { Section } from './markdown.ts';
import { type EntryGroup, type ReferenceEntry, tagId } from './reference/entries.ts';
import { breakable, escapeHtml } from './text.ts';

/** A link of the navigation, relative to the portal's root. */
export interface NavItem {
  title: string;
  href: string;
}

export interface Navigation {
  /** The contract's title and version. */
  title: string;
  version: string;
  /** Guides by topic, in order. */
  guides: readonly { group: string; pages: readonly NavItem[] }[];
  /** Pages about the contract. The first one, its changelog, is for all readers, and in the top bar. */
  contract: readonly NavItem[];
  /** Operations and events by tag. */
  reference: readonly EntryGroup[];
  /** Files for programs. */
  downloads: readonly NavItem[];
}

/** A page of the portal. */
export interface Page extends NavItem {
  /** The portal's path on its host, if servers show the page at any depth. */
  root?: string;
  description: string;
  html: string;
  /** The sections of the page. A table of contents appears if at least two have a level-2 heading. */
  sections?: readonly Section[];
  /** The same page for readers that are programs: its file relative to the portal's root, and its part of their list. */
  markdown?: { file: string; text: string; group: string };
}

interface PageOptions {
  navigation: Navigation;
  /** Whether the page reloads when it has changed. */
  live: boolean;
}

/** Renders a page of the portal. Its URLs are relative, so that the portal works in any folder and from disk. */
export function renderPage(
  { href, title, description, html, root = rootFrom(href), sections = [], markdown }: Page,
  { navigation, live }: PageOptions,
): string {
  const { guides, contract, reference, downloads } = navigation;
  const to = (target: string) => escapeHtml(root + target);
  const isReference = href.startsWith('reference');
  const links = sections
    .filter(({ id, depth }) => id !== '' && depth === 2)
    .map((each) => `<li><a href="#${escapeHtml(each.id)}">${escapeHtml(each.title)}</a></li>`);
  const listed = ({ href: target, title: name, method }: NavItem & { method?: string }) => {
    const badge =
      method === undefined || method === 'event'
        ? ''
        : `<span class="method ${escapeHtml(method)}">${escapeHtml(shortMethod(method))}</span> `;
    const current = target === href ? ' aria-current="page"' : '';
    return `<li><a href="${to(target)}"${current}>${badge}${breakable(escapeHtml(name))}</a></li>`;
  };
  const list = (items: readonly NavItem[]) => `<ul>\n${items.map(listed).join('\n')}\n</ul>`;
  const guideLinks = guides.map(({ group, pages }) => `<h3>${escapeHtml(group)}</h3>\n${list(pages)}`);
  const [firstGuide] = guides[0]?.pages ?? [];
  const parts = [
    ...(firstGuide ? [{ ...firstGuide, title: 'Guides', isHere: href.startsWith('guides/') }] : []),
    { title: 'Reference', href: 'reference.html', isHere: isReference },
    ...contract.slice(0, 1).map((item) => ({ ...item, isHere: item.href === href })),
  ].map(
    (item) =>
      `<a href="${to(item.href)}"${item.isHere ? ' aria-current="true"' : ''}>${escapeHtml(item.title)}</a>`,
  );
  const heading = title === navigation.title ? title : `${title} · ${navigation.title}`;
  const scripts = [
    ...(href.startsWith('reference/') ? ['service.js'] : []),
    'assets/site.js',
    ...(live ? ['assets/live-reload.js'] : []),
  ];
  return `<!doctype html>
<html lang="en" data-root="${to('')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(portalPolicy(href))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/theme.js')}"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="top">
<a class="brand" href="${to('index.html')}"><img src="${to('assets/icon.svg')}" alt="" width="24" height="24"> <strong>${escapeHtml(navigation.title)}</strong> <span class="version">${escapeHtml(navigation.version)}</span></a>
<nav aria-label="Parts">
${parts.join('\n')}
</nav>
<button type="button" class="search-button" data-search><span>Search</span> <kbd>/</kbd></button>
<button type="button" class="icon-button" data-theme-switch aria-label="Switch between light and dark">◐</button>
<button type="button" class="icon-button menu-button" data-menu aria-expanded="false" aria-controls="menu" aria-label="Menu">☰</button>
</header>
<div class="frame">
<nav id="menu" class="side" aria-label="Pages">
${folded('Guides', !isReference, guideLinks.join('\n'))}
${folded('Reference', isReference, `${list([{ title: 'Overview', href: 'reference.html' }])}\n${referenceLinks(reference, href, list, to)}`)}
${folded('Contract', true, `${list(contract)}\n<ul>\n${downloads.map((item) => `<li><a href="${to(item.href)}" download>${escapeHtml(item.title)}</a></li>`).join('\n')}\n</ul>`)}
</nav>
${links.length < 2 ? '' : `<details class="on-this-page"><summary>On this page</summary><nav aria-label="On this page"><ul>\n${links.join('\n')}\n</ul></nav></details>\n`}<main id="content" class="prose" tabindex="-1">
${html}${markdown === undefined ? '' : `<p class="small as-markdown"><a href="${to(markdown.file)}">This page as Markdown</a></p>\n`}
</main>
</div>
<dialog id="search" aria-label="Search" closedby="any">
<form method="dialog"><input type="search" placeholder="A word or an error code" aria-label="Search guides and reference" autocomplete="off" spellcheck="false"><button type="submit">Close</button></form>
<p class="search-state" role="status"></p>
<ul></ul>
</dialog>
${scripts.map((script) => `<script src="${to(script)}" defer></script>`).join('\n')}
</body>
</html>
`;
}

/** Returns the way from a page to the portal's root. */
export const rootFrom = (href: string): string => '../'.repeat(href.split('/').length - 1);

/** Pages list all operations of a contract with at most this many. In larger contracts, they list those of one tag. */
const maxListed = 60;

/** Returns the operations and events by tag, for the navigation. */
function referenceLinks(
  groups: readonly EntryGroup[],
  here: string,
  list: (entries: readonly ReferenceEntry[]) => string,
  to: (href: string) => string,
): string {
  const listsAll = groups.reduce((sum, { entries }) => sum + entries.length, 0) <= maxListed;
  return groups
    .map(({ tag, entries }) =>
      listsAll || entries.some(({ href }) => href === here)
        ? `<h3>${escapeHtml(tag)}</h3>\n${list(entries)}`
        : `<h3><a href="${to(`reference.html#${tagId(tag)}`)}">${escapeHtml(tag)}</a></h3>`,
    )
    .join('\n');
}

const folded = (title: string, isOpen: boolean, html: string): string =>
  html === '' ? '' : `<details${isOpen ? ' open' : ''}><summary>${title}</summary>\n${html}\n</details>`;

/** Returns a method in at most six characters, so that all badges have the same width. */
const shortMethod = (method: string): string => (method === 'delete' ? 'del' : method.slice(0, 6));
