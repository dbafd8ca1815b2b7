import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { checkOutputFolder, deleteOutputFolder } from '../../lib/empty-folder.ts';
import type { ContractConfig, PortalSettings } from '../config.ts';
import { createDocumentFiles } from '../load/document-files.ts';
import { loadContract } from '../load/load-contract.ts';
import { mockToken } from '../mock/authenticate.ts';
import { browserScripts, pageMockScript } from './browser-scripts.ts';
import { addDecisionLocations } from './decision-locations.ts';
import { type Guide, readGuides } from './guides.ts';
import { homePage, notFound, pager } from './home-page.ts';
import { type Navigation, type PageOptions, renderPage, searchScript } from './layout.ts';
import { linkTo } from './links.ts';
import { type Rendered, render } from './markdown.ts';
import { contractForReaders } from './reference/contract-for-readers.ts';
import { referenceEntries } from './reference/entries.ts';
import { referencePage } from './reference/reference-page.ts';
import { rendererScript } from './renderer.ts';
import { searchEntries } from './search-entries.ts';

export interface SiteOptions {
  /** Path of the contract's root file. Guides are read from the folder `guides` next to it. */
  api: string;
  /** The output folder, emptied first. */
  out: string;
  /** URL of the mock that the API console uses. */
  mock: string;
  /** The path of the published portal. The 404 page needs this path, because servers show the page at any depth. */
  base?: string | undefined;
  /** Whether pages reload when they change. */
  live?: boolean;
  config: ContractConfig;
}

/**
 * Builds the portal: pages, reference and downloads in one folder.
 * @returns the number of pages
 * @throws Error if the contract or a guide cannot be read, or the output folder contains other files
 */
export async function buildSite({
  api,
  out,
  mock,
  base,
  live = false,
  config,
}: SiteOptions): Promise<{ pages: number }> {
  await checkOutputFolder(out, outputNames);
  const contract = await loadContract(api, config);
  const { document } = contract;
  const { portal } = config;
  const { title: contractTitle = 'API', version = '', summary = '' } = document.info ?? {};
  const title = portal.name ?? contractTitle;
  const contractFolder = dirname(api);
  const { read } = createDocumentFiles(api, config);
  const guides = await readGuides(join(contractFolder, 'guides'), read);
  const prose = [
    ...guides.map((guide) => ({
      guide,
      href: `guides/${guide.slug}.html`,
      ...render(guide.markdown, linkTo),
    })),
    ...(await besideContract(read, join(contractFolder, 'CHANGELOG.md'), 'changelog.html')),
    ...(await besideContract(read, join(contractFolder, 'decisions.md'), 'decisions.html', (page) =>
      addDecisionLocations(page, document),
    )),
  ];
  const navigation: Navigation = {
    title,
    version,
    contract: [
      { title: 'Reference', href: 'reference.html' },
      { title: 'Console', href: 'console.html' },
      ...prose.flatMap(({ guide, href, title }) => (guide ? [] : [{ title, href }])),
    ],
    guides: grouped(prose).map(({ group, pages }) => ({
      group,
      items: pages.map(({ title, href }) => ({ title, href })),
    })),
  };
  const hasDecisions = prose.some(({ href }) => href === 'decisions.html');
  const readers = contractForReaders(
    contract,
    hasDecisions ? (name) => `decisions.html#${name.toLowerCase()}` : undefined,
  );
  const page = (options: Omit<PageOptions, 'navigation' | 'live'>) =>
    renderPage({ ...options, navigation, live });

  const files: Record<string, string> = {
    'index.html': page({
      href: 'index.html',
      title,
      description: summary,
      html: homePage({
        title,
        summary,
        groups: grouped(prose),
        pages: prose.filter(({ guide }) => !guide),
      }),
      shape: 'wide',
    }),
    '404.html': page({
      href: '404.html',
      title: 'Not found',
      description: 'Page not found.',
      html: notFound,
      shape: 'wide',
      base,
    }),
    'reference.html': page({
      href: 'reference.html',
      title: 'Reference',
      description: `Every operation and event of ${title}.`,
      ...referencePage(readers, { client: portal.client ?? { variable: 'client' }, linkTo }),
    }),
    'console.html': page({
      href: 'console.html',
      title: 'Console',
      description: `Sends requests to ${title}.`,
      html: '<h1 class="console-title">Console</h1>\n<div id="console"></div>',
      shape: 'console',
      scripts: [
        'service.js',
        'assets/contract.js',
        'assets/page-mock.js',
        'assets/scalar.js',
        'assets/console.js',
      ],
    }),
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'openapi.yaml': stringify(document, { aliasDuplicateObjects: false }),
    // If the service serves the portal, it replaces this file with a script that sets the service's URL.
    'service.js': '',
    [searchScript]: script('parleySearch', searchEntries(prose, referenceEntries(contract))),
    'assets/contract.js':
      script('parleyContract', readers.document) + script('parleyMock', { url: mock, token: mockToken }),
    'assets/page-mock.js': await pageMockScript(document, config, api),
    'assets/scalar.js': await rendererScript(),
    ...(await browserScripts(live)),
  };
  for (const [at, { href, title, html, sections, guide }] of prose.entries())
    files[href] = page({
      href,
      title,
      description: guide?.summary ?? `${title} of ${navigation.title}.`,
      html: `${html}${pager(href, prose[at - 1], prose[at + 1])}`,
      sections,
    });

  await deleteOutputFolder(out, outputNames);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(out, name)), { recursive: true });
    await writeFile(join(out, name), text);
  }
  await cp(join(import.meta.dirname, 'assets'), join(out, 'assets'), { recursive: true });
  if (portal.color) await appendFile(join(out, 'assets/site.css'), colorRules(portal.color));
  return { pages: Object.keys(files).filter((name) => name.endsWith('.html')).length };
}

/** Returns the rules that replace the portal's accent color. The soft color is for backgrounds. */
const colorRules = (color: NonNullable<PortalSettings['color']>): string =>
  Object.entries({ ':root': color.light, ':root[data-theme="dark"]': color.dark })
    .map(
      ([theme, accent]) =>
        `${theme} {\n  --accent: ${accent};\n  --accent-soft: color-mix(in srgb, ${accent} 12%, var(--bg));\n}\n`,
    )
    .join('');

/** Everything at the top of the output folder. If the folder contains anything else, the build fails. */
const outputNames = [
  '404.html',
  'assets',
  'changelog.html',
  'console.html',
  'decisions.html',
  'guides',
  'index.html',
  'openapi.json',
  'openapi.yaml',
  'reference.html',
  'service.js',
];

/**
 * Returns a script that sets a global. Unlike a JSON file, it can be loaded by a page that is opened from disk. It parses
 * JSON, because an object literal with the name `__proto__` would set the prototype.
 */
const script = (name: string, value: unknown): string =>
  `window.${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`;

type Page = Rendered & { href: string; guide?: Guide };

/** Returns the guides by group, in order. */
const grouped = (pages: readonly Page[]) =>
  [
    ...Map.groupBy(
      pages.filter(({ guide }) => guide),
      ({ guide }) => guide?.group ?? '',
    ),
  ].map(([group, pages]) => ({ group, pages }));

async function besideContract(
  read: (file: string) => Promise<string>,
  file: string,
  href: string,
  extend = (markdown: string): string => markdown,
): Promise<Page[]> {
  if (!existsSync(file)) return [];
  return [{ href, ...render(extend(await read(file)), linkTo) }];
}
