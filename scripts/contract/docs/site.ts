import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { checkOutputFolder, deleteOutputFolder } from '../../lib/empty-folder.ts';
import type { ContractConfig, PortalSettings } from '../config.ts';
import { createDocumentFiles } from '../load/document-files.ts';
import { loadContract } from '../load/load-contract.ts';
import { mockToken } from '../mock/authenticate.ts';
import { browserScripts, pageMockScript } from './browser-scripts.ts';
import { homePage, notFound, pager } from './home-page.ts';
import { type Navigation, type PageOptions, renderPage, searchScript } from './layout.ts';
import { createLinkTo } from './links.ts';
import { linksFrom, llmsText, markdownFile, referenceMarkdownPage } from './machine-files.ts';
import { groupGuides, readProse } from './prose.ts';
import { commonHeaders } from './reference/common-headers.ts';
import { consoleDocument } from './reference/console-document.ts';
import { groupEntries, referenceEntries } from './reference/entries.ts';
import { operationPage } from './reference/operation-page.ts';
import { referencePage } from './reference/reference-page.ts';
import { createSamples } from './reference/samples.ts';
import { requestPanel } from './reference/samples-panel.ts';
import { rendererScript } from './renderer.ts';
import { searchEntries } from './search-entries.ts';

export interface SiteOptions {
  /** Path of the contract's root file. Guides are read from the folder `guides` next to it. */
  api: string;
  /** The output folder, emptied first. */
  out: string;
  /** URL of the mock that samples and the console use. */
  mock: string;
  /** The path of the published portal. The 404 page needs this path, because servers show the page at any depth. */
  base?: string | undefined;
  /** Whether pages reload when they change. */
  live?: boolean;
  /** Called with what is being done. */
  onProgress?: (text: string) => void;
  config: ContractConfig;
}

/**
 * Builds the portal: pages, their Markdown, reference and downloads in one folder.
 * @returns the number of pages
 * @throws Error if the contract or a guide cannot be read, or the output folder contains other files
 */
export async function buildSite({
  api,
  out,
  mock,
  base,
  live = false,
  onProgress = () => {},
  config,
}: SiteOptions): Promise<{ pages: number }> {
  await checkOutputFolder(out, outputNames);
  onProgress('Reading the contract.');
  const contract = await loadContract(api, config);
  const { document } = contract;
  const { portal } = config;
  const { title: contractTitle = 'API', version = '', summary = '' } = document.info ?? {};
  const title = portal.name ?? contractTitle;
  const entries = referenceEntries(contract);
  const pageOf = new Map(
    entries.flatMap(({ id, otherIds, href }) => [id, ...otherIds].map((each) => [each, href])),
  );
  const linkTo = createLinkTo(pageOf);
  const { read } = createDocumentFiles(api, config);
  const { home, prose } = await readProse(dirname(api), read, document, linkTo);
  await deleteOutputFolder(out, outputNames);
  const client = await portal.client?.pack?.(join(out, 'client'));
  const downloads = [
    ...(client === undefined ? [] : [{ title: basename(client), href: `client/${basename(client)}` }]),
    { title: 'openapi.yaml', href: 'openapi.yaml' },
    { title: 'openapi.json', href: 'openapi.json' },
    { title: 'llms.txt', href: 'llms.txt' },
  ];
  const guides = groupGuides(prose);
  const navigation: Navigation = {
    title,
    version,
    contract: prose.flatMap(({ guide, href, title }) => (guide ? [] : [{ title, href }])),
    guides: guides.map(({ group, pages }) => ({
      group,
      items: pages.map(({ title, href }) => ({ title, href })),
    })),
    reference: groupEntries(entries),
    downloads,
  };
  const page = (options: Omit<PageOptions, 'navigation' | 'live'>) =>
    renderPage({ ...options, navigation, live });
  const hasDecisions = prose.some(({ href }) => href === 'decisions.html');
  const samplesOf = createSamples(contract, portal.client ?? { variable: 'client' }, mock);
  const operationContext = {
    contract,
    samplesOf,
    common: commonHeaders(contract),
    linkTo: createLinkTo(pageOf, '../'),
    linkToDecision: hasDecisions ? (name: string) => `decisions.md#${name.toLowerCase()}` : undefined,
    hasPageMock: config.pageMock,
  };
  const first = entries.find(
    ({ kind, method, operation: { parameters } }) =>
      kind === 'operation' && method === 'get' && parameters.every(({ required }) => !required),
  );

  const files: Record<string, string> = {
    'index.html': page({
      href: 'index.html',
      title,
      description: summary,
      html: homePage({
        title,
        summary,
        text: home,
        live: first ? requestPanel(samplesOf(first.operation), config.pageMock) : '',
        client: client === undefined ? undefined : `client/${basename(client)}`,
        groups: guides,
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
      ...referencePage(contract, entries, linkTo),
    }),
    'console.html': page({
      href: 'console.html',
      title: 'Console',
      description: `Sends requests to ${title}.`,
      html: '<h1 class="console-title">Console</h1>\n<div id="console"></div>\n<p class="lead loading">Loading the console…</p>\n<noscript>The console needs JavaScript. The <a href="reference.html">reference</a> does not.</noscript>',
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
    'llms.txt': llmsText(
      title,
      summary,
      [
        ...prose.map(({ title, markdownHref, guide }) => ({
          title,
          file: markdownHref,
          summary: guide?.summary ?? '',
          group: guide?.group ?? 'Contract',
        })),
        ...entries.map(referenceMarkdownPage),
      ],
      downloads,
    ),
    // If the service serves the portal, it replaces this file with a script that sets the service's URL.
    'service.js': '',
    [searchScript]: script('parleySearch', searchEntries(prose, entries)),
    'assets/contract.js':
      script('parleyContract', consoleDocument(contract)) +
      script('parleyMock', { url: mock, token: mockToken }),
    'assets/page-mock.js': await pageMockScript(document, config, api),
    'assets/scalar.js': await rendererScript(),
    ...(await browserScripts(live)),
  };
  for (const [at, entry] of entries.entries()) {
    if (at > 0 && at % 50 === 0) onProgress(`Page ${at} of ${entries.length}.`);
    const { html, markdown } = operationPage(operationContext, entry);
    const { href, title, method, path } = entry;
    files[href] = page({
      href,
      title,
      description: `${method.toUpperCase()} ${path}`,
      html: `${html}${pager(href, entries[at - 1], entries[at + 1])}`,
      shape: 'operation',
      markdown: basename(markdownFile(href)),
    });
    files[markdownFile(href)] = linksFrom(markdown, '../');
  }
  for (const [at, { href, title, html, sections, guide, source, markdownHref }] of prose.entries()) {
    files[href] = page({
      href,
      title,
      description: guide?.summary ?? `${title} of ${navigation.title}.`,
      html: `${html}${pager(href, prose[at - 1], prose[at + 1])}`,
      sections,
      markdown: basename(markdownHref),
    });
    files[markdownHref] = source;
  }

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
  'CHANGELOG.md',
  'assets',
  'changelog.html',
  'client',
  'console.html',
  'decisions.html',
  'decisions.md',
  'guides',
  'index.html',
  'llms.txt',
  'openapi.json',
  'openapi.yaml',
  'reference',
  'reference.html',
  'service.js',
];

/**
 * Returns a script that sets a global. Unlike a JSON file, it can be loaded by a page that is opened from disk. It parses
 * JSON, because an object literal with the name `__proto__` would set the prototype.
 */
const script = (name: string, value: unknown): string =>
  `window.${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`;
