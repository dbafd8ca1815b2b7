import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { checkOutputFolder, deleteOutputFolder } from '../../lib/folders.ts';
import { mockUrl } from '../../lib/ports.ts';
import { shellWord } from '../../lib/shell-text.ts';
import { type ContractConfig, isOwnContract } from '../config.ts';
import { fillTables } from '../generate/document-tables.ts';
import { createDocumentFiles } from '../load/document-files.ts';
import { loadContract } from '../load/load-contract.ts';
import { mockToken } from '../mock/authenticate.ts';
import type { Contract } from '../model/contract.ts';
import { browserScripts, pageMockScript } from './browser-scripts.ts';
import { homePage, notFoundPage, withPager } from './home-page.ts';
import { type NavItem, type Navigation, type Page, renderPage } from './layout.ts';
import { createLinkTo } from './links.ts';
import { firstSentence } from './markdown.ts';
import { groupGuides, type ProsePage, readProse } from './prose.ts';
import { commonHeaders } from './reference/common-headers.ts';
import { groupEntries, type ReferenceEntry, referenceEntries } from './reference/entries.ts';
import { type OperationPageContext, operationPage } from './reference/operation-page.ts';
import { referencePage } from './reference/reference-page.ts';
import { requestPanel, requestServers } from './reference/request-panel.ts';
import { createSamples } from './reference/samples.ts';
import { shellSamples } from './reference/shell-samples.ts';
import { searchEntries } from './search-entries.ts';

interface SiteOptions {
  /** Path of the contract's root file. Guides are read from the folder `guides` next to it. */
  api: string;
  /** The output folder, emptied first. */
  out: string;
  /** URL of the mock that samples use. */
  mock: string;
  /** The path of the published portal (default: `/`). The 404 page needs it, because servers show the page at any depth. */
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
export async function buildSite(options: SiteOptions): Promise<{ pages: number }> {
  const { api, out, base = '/', live = false, onProgress = () => {}, config } = options;
  await checkOutputFolder(out, outputNames);
  onProgress('Reading the contract.');
  const contract = await loadContract(api, config);
  const { document } = contract;
  const entries = referenceEntries(contract);
  const pageOf = new Map(
    entries.flatMap(({ id, otherIds, href }) => [id, ...otherIds].map((each) => [each, href])),
  );
  const linkTo = createLinkTo(pageOf);
  const { read } = createDocumentFiles(api, config);
  const isOwn = isOwnContract(config, api);
  const tables = isOwn ? await config.tables?.load(document) : undefined;
  const readFilled = async (file: string) => {
    const text = await read(file);
    return tables ? fillTables(text, tables) : text;
  };
  const target = {
    url: options.mock + (contract.basePaths[0] ?? ''),
    token: config.mockTokens === 'scoped' ? mockToken : 'token',
  };
  const samplesOf = createSamples(contract, config.portal.client ?? { variable: 'client' }, target);
  const shown = shellSamples(contract, samplesOf);
  const { home, prose, projects } = await readProse(dirname(api), readFilled, linkTo, shown);
  await deleteOutputFolder(out, outputNames);
  const client = await config.portal.client?.pack?.(join(out, 'client'));
  const clientHref = client && `client/${basename(client)}`;
  const navigation = navigationOf(contract, config.portal.name, { prose, entries, client: clientHref });
  const { title, downloads } = navigation;
  const { summary = '', description = '' } = document.info ?? {};
  const { operations, live: liveRequest } = operationPages(contract, options, entries, {
    samplesOf,
    linkTo: createLinkTo(pageOf, '../'),
    explained: new Map(
      prose.flatMap(({ markdown, sections }) =>
        sections.map(({ id, title }) => [title, `${markdown?.file}#${id}`]),
      ),
    ),
    hasDecisions: prose.some(({ href }) => href === 'decisions.html'),
    subscription: isOwn ? await config.portal.subscription?.(document) : undefined,
  });
  const pages = [
    homePage({
      title,
      summary,
      lead: firstSentence(description),
      text: home,
      live: liveRequest,
      client: clientHref,
      groups: groupGuides(prose),
    }),
    notFoundPage(base),
    referencePage(contract, entries, linkTo),
    ...operations,
    ...withPager(prose),
  ];

  const files: Record<string, string> = {
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'openapi.yaml': stringify(document, { aliasDuplicateObjects: false }),
    'llms.txt': llmsText(title, summary, pages, downloads),
    // If the service serves the portal, it replaces this file with a script that sets the service's URL.
    'service.js': '',
    ...Object.fromEntries(projects),
    // Unlike a JSON file, a script can be loaded by a page that is opened from disk.
    'assets/search-entries.js': `window.parleySearch = ${JSON.stringify(searchEntries(prose, entries, operations))};\n`,
    'assets/page-mock.js': await pageMockScript(document, config, api),
    ...(await browserScripts(live)),
  };
  for (const page of pages) {
    files[page.href] = renderPage(page, { navigation, live });
    if (page.markdown) files[page.markdown.file] = page.markdown.text;
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(out, name)), { recursive: true });
    await writeFile(join(out, name), text);
  }
  await cp(join(import.meta.dirname, 'assets'), join(out, 'assets'), { recursive: true });
  for (const file of ['files/inter-latin-wght-normal.woff2', 'LICENSE'])
    await cp(join(fontFolder, file), join(out, 'assets/inter', basename(file)));
  const { color } = config.portal;
  if (color)
    await appendFile(
      join(out, 'assets/site.css'),
      `:root {\n  --accent: light-dark(${color.light}, ${color.dark});\n  --accent-soft: color-mix(in srgb, var(--accent) 12%, var(--bg));\n}\n`,
    );
  return { pages: pages.length };
}

function navigationOf(
  { document }: Contract,
  name: string | undefined,
  { prose, entries, client }: { prose: ProsePage[]; entries: ReferenceEntry[]; client: string | undefined },
): Navigation {
  const { title = 'API', version = '' } = document.info ?? {};
  const files = ['openapi.yaml', 'openapi.json', 'llms.txt'].map((file) => ({ title: file, href: file }));
  return {
    title: name ?? title,
    version,
    guides: groupGuides(prose, 'topic'),
    contract: prose.filter(({ guide }) => !guide),
    reference: groupEntries(entries),
    downloads: [...(client === undefined ? [] : [{ title: basename(client), href: client }]), ...files],
  };
}

/** Renders the pages of operations and events, and the request of the home page: the first one without required parameters. */
function operationPages(
  contract: Contract,
  { api, mock, config, onProgress }: SiteOptions,
  entries: readonly ReferenceEntry[],
  given: Pick<OperationPageContext, 'samplesOf' | 'linkTo' | 'explained' | 'hasDecisions' | 'subscription'>,
) {
  const [base = ''] = contract.basePaths;
  const servers = requestServers(contract.document.servers ?? [], mock + base, config.pageMock);
  const { mockCommand: command = `npx --no-install parley-contract mock --api ${shellWord(basename(api))}` } =
    config.portal;
  const mockCommand = mock === mockUrl ? command : undefined;
  const panel = { servers, base, mockCommand };
  const context = { contract, common: commonHeaders(contract), ...panel, ...given };
  const first = entries.find(
    ({ kind, method, operation: { parameters } }) =>
      kind === 'operation' && method === 'get' && parameters.every(({ required }) => !required),
  );
  return {
    operations: withPager(
      entries.map((entry, at) => {
        if (at > 0 && at % 50 === 0) onProgress?.(`Page ${at} of ${entries.length}.`);
        return operationPage(context, entry);
      }),
    ),
    // The policy of the home page allows no other servers.
    live: first
      ? requestPanel(given.samplesOf(first.operation), {
          ...panel,
          mockCommand: undefined,
          servers: servers.slice(0, config.pageMock ? 1 : 0),
        })
      : '',
  };
}

const fontFolder = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/inter/LICENSE'));

/** Everything at the top of the output folder. If the folder contains anything else, the build fails. */
const outputNames = [
  ...['404.html', 'changelog.html', 'decisions.html', 'index.html', 'reference.html'],
  ...['CHANGELOG.md', 'decisions.md', 'llms.txt', 'openapi.json', 'openapi.yaml', 'service.js'],
  ...['assets', 'client', 'guides', 'reference'],
];

/**
 * Returns `llms.txt`, the list of all pages in Markdown (https://llmstxt.org).
 * @param downloads files for programs
 */
function llmsText(
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
