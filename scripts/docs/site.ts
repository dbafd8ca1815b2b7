import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { stringify } from 'yaml';
import { emptied } from '../emptied.ts';
import { bundleContract } from '../generate/bundle.ts';
import { type Guide, readGuides } from './guides.ts';
import { homeOf, notFound, pagerOf } from './home.ts';
import { type Navigation, type PageOptions, pageOf } from './layout.ts';
import { type Rendered, render } from './markdown.ts';
import { entriesOf, forReaders } from './reference.ts';
import { rendererScript } from './renderer.ts';
import { searchEntries } from './search-entries.ts';

export interface SiteOptions {
  /** Path of the contract's root; prose is looked for beside it. */
  api: string;
  /** Emptied before. */
  out: string;
  /** Where the console finds the mock; the address of `npm run mock` unless said. */
  mock?: string | undefined;
  /** For a writer: pages are loaded anew when they change. */
  live?: boolean;
}

const browserScripts = ['theme', 'site', 'reference'] as const;

/**
 * Makes the portal: pages, reference, downloads, in one folder that needs nothing else.
 * @returns how many pages there are
 * @throws Error where the contract or a guide cannot be read
 */
export async function buildSite({
  api,
  out,
  mock = 'http://127.0.0.1:4010',
  live = false,
}: SiteOptions): Promise<{ pages: number }> {
  const document = await bundleContract(api);
  const { title, version, summary = '' } = infoOf(document);
  const beside = dirname(api);
  const guides = await readGuides(join(beside, 'guides'));
  const prose = [
    ...guides.map((guide) => ({
      guide,
      href: `guides/${guide.slug}.html`,
      ...render(guide.markdown, linkTo),
    })),
    ...(await besideContract(beside, 'CHANGELOG.md', 'changelog.html')),
    ...(await besideContract(beside, 'decisions.md', 'decisions.html')),
  ];
  const navigation: Navigation = {
    title,
    version,
    contract: [
      { title: 'Reference', href: 'reference.html' },
      ...prose.flatMap(({ guide, href, title }) => (guide ? [] : [{ title, href }])),
    ],
    guides: prose.flatMap(({ guide, href, title }) => (guide ? [{ title, href }] : [])),
  };
  const hasDecisions = prose.some(({ href }) => href === 'decisions.html');
  const readers = forReaders(
    document,
    hasDecisions ? (name) => `decisions.html#${name.toLowerCase()}` : undefined,
  );
  const page = (options: Omit<PageOptions, 'navigation' | 'live'>) =>
    pageOf({ ...options, navigation, live });

  const files: Record<string, string> = {
    'index.html': page({
      href: 'index.html',
      title,
      description: summary,
      html: homeOf({ title, summary, guides: prose }),
      shape: 'wide',
      scripts: [searchScript],
    }),
    '404.html': page({
      href: '404.html',
      title: 'Not found',
      description: 'No such page.',
      html: notFound,
      shape: 'wide',
      scripts: [searchScript],
    }),
    'reference.html': page({
      href: 'reference.html',
      title: 'Reference',
      description: `Every operation and event of ${title}, with a console.`,
      html: '<h1 class="reference-title">Reference</h1>\n<div id="reference"></div>',
      shape: 'reference',
      scripts: [searchScript, 'service.js', 'assets/contract.js', 'assets/scalar.js', 'assets/reference.js'],
    }),
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'openapi.yaml': stringify(document, { aliasDuplicateObjects: false }),
    // A service that serves the portal says here where it is.
    'service.js': '',
    [searchScript]: script('parleySearch', searchEntries(prose, entriesOf(document))),
    'assets/contract.js': script('parleyContract', readers) + script('parleyMock', mock),
    'assets/scalar.js': await rendererScript(),
    ...(await compiled([...browserScripts, ...(live ? (['live'] as const) : [])])),
  };
  for (const [at, { href, title, html, sections, guide }] of prose.entries())
    files[href] = page({
      href,
      title,
      description: guide?.summary ?? `${title} of ${navigation.title}.`,
      html: guide
        ? `${html}${pagerOf(prose[at - 1], prose[at + 1]?.guide ? prose[at + 1] : undefined)}`
        : html,
      sections: guide ? sections : [],
      scripts: [searchScript],
    });

  await emptied(out, searchScript);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(out, name)), { recursive: true });
    await writeFile(join(out, name), text);
  }
  await cp(join(import.meta.dirname, 'assets'), join(out, 'assets'), { recursive: true });
  return { pages: Object.keys(files).filter((name) => name.endsWith('.html')).length };
}

const searchScript = 'assets/search-entries.js';

/** A script that hands a value to the page: unlike a file of JSON, it can be loaded from a disk, too. */
const script = (name: string, value: unknown): string =>
  `window.${name} = ${JSON.stringify(value).replaceAll('<', '\\u003c')};\n`;

type Page = Rendered & { href: string; guide?: Guide };

async function besideContract(folder: string, file: string, href: string): Promise<Page[]> {
  const markdown = await readFile(join(folder, file), 'utf8').catch(() => undefined);
  return markdown === undefined ? [] : [{ href, ...render(markdown, linkTo) }];
}

/** Where a link between the sources leads on the portal, whose pages lie to each other as the sources do. */
export function linkTo(href: string): string {
  if (/^[a-z]+:|^#/i.test(href)) return href;
  return href.replace(
    /^((?:\.\.\/)*)([^#]*)/,
    (_all, up: string, path: string) => up + (moved[path] ?? path.replace(/\.md$/, '.html')),
  );
}

const moved: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.html',
  'openapi.yaml': 'reference.html',
};

function infoOf(document: object): { title: string; version: string; summary?: string } {
  const { info } = document as { info?: { title?: string; version?: string; summary?: string } };
  return { title: 'API', version: '', ...info };
}

async function compiled(names: readonly string[]): Promise<Record<string, string>> {
  const made = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const input = join(import.meta.dirname, `browser/${name}.ts`);
      const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
      const { output } = await bundle.generate({ format: 'iife', minify: true });
      await bundle.close();
      return [`assets/${name}.js`, output[0].code];
    }),
  );
  return Object.fromEntries(made);
}
