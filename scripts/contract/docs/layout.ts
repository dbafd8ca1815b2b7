import { portalPolicy } from '../../../server/lib/portal-csp.ts';
import type { Section } from './markdown.ts';
import type { EntryGroup, ReferenceEntry } from './reference/entries.ts';
import { tagId } from './reference/reference-page.ts';
import { escapeHtml } from './text.ts';

/** A link of the navigation, relative to the portal's root. */
export interface NavItem {
  title: string;
  href: string;
}

export interface Navigation {
  /** The contract's title and version. */
  title: string;
  version: string;
  /** Guides by group, in order. */
  guides: readonly { group: string; items: readonly NavItem[] }[];
  /** Pages about the contract, such as its changelog. */
  contract: readonly NavItem[];
  /** Operations and events by tag. */
  reference: readonly EntryGroup[];
  /** Files for programs. */
  downloads: readonly NavItem[];
}

export interface PageOptions {
  navigation: Navigation;
  /** The page's path, relative to the portal's root. */
  href: string;
  title: string;
  description: string;
  html: string;
  /** The sections of the page. A table of contents appears if at least two have a level-2 heading. */
  sections?: readonly Section[];
  /** In `wide`, the text also takes the column of the table of contents. `operation` has samples beside the text. */
  shape?: 'guide' | 'wide' | 'operation' | 'console';
  /** The file with the page's Markdown, relative to the page. */
  markdown?: string;
  /** Additional scripts, relative to the portal's root. */
  scripts?: readonly string[];
  /** The portal's path. Only pages that are shown at arbitrary paths need it, such as the 404 page. */
  base?: string | undefined;
  /** Whether the page reloads when it has changed. */
  live: boolean;
}

/** Path of the script with the search entries, which pages load when a reader searches. */
export const searchScript = 'assets/search-entries.js';

/** Returns links to the parts of the portal: the guides, and each page about the contract. */
function partsOf({ guides: [first], contract }: Navigation): readonly NavItem[] {
  const [guide] = first?.items ?? [];
  return [
    ...(guide ? [{ title: 'Guides', href: guide.href }] : []),
    { title: 'Reference', href: 'reference.html' },
    { title: 'Console', href: 'console.html' },
    ...contract,
  ];
}

/**
 * Renders a page of the portal. All its URLs are relative, so that the portal works in any folder and from disk.
 */
export function renderPage(options: PageOptions): string {
  const {
    navigation,
    href,
    title,
    description,
    html,
    sections = [],
    shape = 'guide',
    markdown,
    scripts = [],
    base,
    live,
  } = options;
  const root = '../'.repeat(href.split('/').length - 1);
  const to = (target: string) => escapeHtml(root + target);
  const inReference = /^(reference|console)/.test(href);
  const isHere = (item: NavItem) =>
    item.href === href ||
    (item.title === 'Guides' && href.startsWith('guides/')) ||
    (item.title === 'Reference' && href.startsWith('reference'));
  const links = sectionLinks(sections);
  // On narrow screens, which have no table of contents, the menu has the sections of the page.
  const within = links === '' ? '' : `\n<ul class="within">\n${links}\n</ul>`;
  const listed = ({ href: target, title: name, method }: NavItem & { method?: string }) => {
    const badge =
      method === undefined
        ? ''
        : `<span class="method ${escapeHtml(method)}">${escapeHtml(shortMethod(method))}</span> `;
    const [current, sections] = target === href ? [' aria-current="page"', within] : ['', ''];
    return `<li><a href="${to(target)}"${current}>${badge}${escapeHtml(name)}</a>${sections}</li>`;
  };
  const parts = partsOf(navigation).map(
    (item) =>
      `<a href="${to(item.href)}"${isHere(item) ? ' aria-current="true"' : ''}>${escapeHtml(item.title)}</a>`,
  );
  // The console has a main landmark of its own.
  const content = shape === 'console' ? 'div' : 'main';
  const heading = title === navigation.title ? title : `${title} · ${navigation.title}`;
  const all = [...scripts, 'assets/site.js', ...(live ? ['assets/live-reload.js'] : [])];
  return `<!doctype html>
<html lang="en" data-root="${root}" data-entries="${escapeHtml(searchScript)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(portalPolicy(shape === 'console' ? 'console' : 'other'))}">
${base === undefined ? '' : `<base href="${escapeHtml(base)}">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/site.css')}">
${shape === 'console' ? `<link rel="stylesheet" href="${to('assets/console.css')}">\n` : ''}<script src="${to('assets/theme.js')}"></script>
</head>
<body class="${shape}">
<a class="skip" href="#content">To the content</a>
<header class="top">
<a class="brand" href="${to('index.html')}"><img src="${to('assets/icon.svg')}" alt="" width="24" height="24"> ${escapeHtml(navigation.title)} <span class="version">${escapeHtml(navigation.version)}</span></a>
<nav aria-label="Parts">
${parts.join('\n')}
</nav>
<button type="button" class="search-button" data-search><span>Search</span> <kbd>/</kbd></button>
<button type="button" class="icon-button" data-theme-switch aria-label="Switch between light and dark"></button>
<button type="button" class="icon-button menu-button" data-menu aria-expanded="false" aria-controls="menu" aria-label="Menu"></button>
</header>
<div class="frame">
<nav id="menu" class="side" aria-label="Pages">
<p class="side-parts">${parts.join(' ')}</p>
${folded('Guides', !inReference, navigation.guides.map(({ group, items }) => `<h3>${escapeHtml(group)}</h3>\n<ul>\n${items.map(listed).join('\n')}\n</ul>`).join('\n'))}
${folded('Reference', inReference, `<ul>\n${overview.map(listed).join('\n')}\n</ul>\n${referenceLinks(navigation.reference, href, listed, to)}`)}
<h2>Contract</h2>
<ul>
${navigation.contract.map(listed).join('\n')}
${navigation.downloads.map((item) => `<li><a href="${to(item.href)}" download>${escapeHtml(item.title)}</a></li>`).join('\n')}
</ul>
</nav>
<${content} id="content" tabindex="-1"${shape === 'console' ? '' : ' class="prose"'}>
${html}${markdown === undefined ? '' : `<p class="as-markdown"><a href="${escapeHtml(markdown)}">This page as Markdown</a></p>\n`}
</${content}>
${links === '' ? '' : `<aside class="on-this-page"><nav aria-label="On this page"><h2>On this page</h2><ul>\n${links}\n</ul></nav></aside>`}
</div>
<dialog id="search" aria-label="Search">
<form method="dialog"><input type="search" placeholder="Search" aria-label="Search guides and reference" autocomplete="off" spellcheck="false"><button type="submit">Close</button></form>
<p class="search-state" role="status"></p>
<ul></ul>
</dialog>
${all.map((script) => `<script src="${to(script)}" defer></script>`).join('\n')}
</body>
</html>
`;
}

/** The first pages of the reference. */
const overview: readonly NavItem[] = [
  { title: 'Overview', href: 'reference.html' },
  { title: 'Console', href: 'console.html' },
];

/** Returns links to the sections of a page; none if there are fewer than two. */
function sectionLinks(sections: readonly Section[]): string {
  const listed = sections.filter(({ id, depth }) => id !== '' && depth === 2);
  if (listed.length < 2) return '';
  return listed
    .map(({ id, title }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`)
    .join('\n');
}

/** Pages list all operations of a contract with at most this many. In larger contracts, they list those of one tag. */
const maxListed = 60;

/** Returns the operations and events by tag, for the navigation. */
function referenceLinks(
  groups: readonly EntryGroup[],
  here: string,
  listed: (entry: ReferenceEntry) => string,
  to: (href: string) => string,
): string {
  const listsAll = groups.reduce((sum, { entries }) => sum + entries.length, 0) <= maxListed;
  return groups
    .map(({ tag, entries }) => {
      if (!listsAll && !entries.some(({ href }) => href === here))
        return `<h3><a href="${to(`reference.html#${tagId(tag)}`)}">${escapeHtml(tag)}</a></h3>`;
      return `<h3>${escapeHtml(tag)}</h3>\n<ul>\n${entries.map(listed).join('\n')}\n</ul>`;
    })
    .join('\n');
}

const folded = (title: string, isOpen: boolean, html: string): string =>
  html === '' ? '' : `<details${isOpen ? ' open' : ''}><summary>${title}</summary>\n${html}\n</details>`;

/** Returns a method in at most six characters, so that all badges have the same width. */
const shortMethod = (method: string): string => (method === 'delete' ? 'del' : method.slice(0, 6));
