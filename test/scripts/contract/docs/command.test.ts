import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { createLinkTo } from '../../../../scripts/contract/docs/links.ts';
import { render } from '../../../../scripts/contract/docs/markdown.ts';
import { referenceEntries } from '../../../../scripts/contract/docs/reference/entries.ts';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { markdownBlock } from '../../../../scripts/lib/markdown-text.ts';
import { writeDocument } from '../../../support/documents.ts';
import { runCommand, startCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const linkTo = createLinkTo(new Map([['createContact', 'reference/createContact.html']]));

const bookshop = resolve('test/scripts/contract/generate/contracts/bookshop.yaml');
const docs = (...given: string[]) => runCommand(['docs', ...given]);
/** Builds the portal of a small contract, without the settings of this repository, which pack the client. */
const docsOfBookshop = (out: string) =>
  runCommand(['docs', '--api', bookshop, '--out', out, '--json'], { cwd: dirname(out) });

test('docs:build builds all pages without dead links, and lists them in llms.txt', async () => {
  const out = join(await temporaryFolder(), 'docs');
  // The pages that are neither guides nor operations: home page, 404, reference, changelog, decisions.
  const entries = referenceEntries(await loadContract('openapi/openapi.yaml'));
  const pages = globSync('openapi/guides/*.md').length + entries.length + 5;
  const made = await docs('--out', out, '--json');
  expect([made.code, JSON.parse(made.out), made.err]).toEqual([0, { out, pages }, '']);
  expect(deadLinks(out)).toEqual([]);
  // Every page is listed in llms.txt, and has its Markdown.
  const list = readFileSync(join(out, 'llms.txt'), 'utf8');
  const files = globSync('{guides,reference}/*.html', { cwd: out }).map((page) =>
    page.replace('.html', '.md'),
  );
  expect(files.filter((file) => !list.includes(`(${file})`))).toEqual([]);
});

/** Returns the links of a portal's pages, in HTML and in Markdown, that lead to no file or to no element. */
function deadLinks(out: string): string[] {
  const pages = globSync('**/*.{html,md,txt}', { cwd: out });
  expect(pages.length).toBeGreaterThan(5);
  const texts = new Map(pages.map((page) => [page, readFileSync(join(out, page), 'utf8')]));
  const isDead = (page: string, link: string) => {
    const [path = '', fragment = ''] = decodeURIComponent(link.replaceAll('&amp;', '&')).split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(out, target))) return true;
    return fragment !== '' && target.endsWith('.html') && !texts.get(target)?.includes(` id="${fragment}"`);
  };
  return [...texts].flatMap(([page, text]) => {
    const links = page.endsWith('.html')
      ? /\s(?:href|src)="(?![a-z]+:)([^"]*)"/g
      : /\]\((?![a-z]+:|#)([^)#\s]+)/g;
    return Array.from(text.matchAll(links), ([, link = '']) => link)
      .filter((link) => isDead(page, link))
      .map((link) => `${page}: ${link}`);
  });
}

test('docs:build rejects an output path that is a file or a folder with other files', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'mine.txt'), 'mine');
  for (const out of [folder, join(folder, 'mine.txt')]) {
    const { code, err } = await docs('--out', out);
    expect([code, err]).toEqual([2, expect.stringContaining('mine.txt')]);
  }
  expect(await readFile(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});

test('docs:build completes a half-built portal of a contract without guides, and keeps files that it has not made', async () => {
  const out = join(await temporaryFolder(), 'docs');
  const gone = join(out, 'guides/gone.html');
  await mkdir(join(out, 'guides'), { recursive: true });
  for (let times = 0; times < 2; times++) {
    await writeFile(gone, '');
    expect((await docsOfBookshop(out)).code).toBe(0);
    expect(existsSync(gone)).toBe(false);
    await mkdir(join(out, 'guides'), { recursive: true });
  }
  expect(await readFile(join(out, 'index.html'), 'utf8')).toContain('<h1>Bookshop</h1>');
  expect(deadLinks(out)).toEqual([]);
  await writeFile(join(out, 'CNAME'), 'docs.example.com');
  expect((await docs('--out', out)).err).toContain('contains other files (CNAME)');
});

test('samples of a contract whose server has a path send it, with the credentials of the operation', async () => {
  const responses = { 204: { description: 'Done.' } };
  const api = await writeDocument({
    openapi: '3.1.0',
    info: { title: 'Scores', version: '1.0.0' },
    servers: [{ url: 'https://example.com/v1' }],
    security: [{ key: [] }],
    paths: { '/scores': { get: { operationId: 'listScores', responses } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });
  const out = join(dirname(api), 'docs');
  const config = { ...contractConfig, portal: {}, mockTokens: 'any' as const };
  await buildSite({ api, out, mock: 'http://127.0.0.1:4010', config });
  const markdown = await readFile(join(out, 'reference/listScores.md'), 'utf8');
  expect(markdown).toMatch(/baseUrl: 'http:\/\/127\.0\.0\.1:4010\/v1',\s+headers: \{ 'X-Key': 'token' \}/);
  expect(markdown).toContain(
    "curl --fail-with-body http://127.0.0.1:4010/v1/scores \\\n  --header 'X-Key: token'",
  );
  expect(await readFile(join(out, 'reference/listScores.html'), 'utf8')).toContain('data-base="/v1"');
});

test('docs:build exits with 2 if the contract cannot be read, and on a usage error', async () => {
  const out = join(await temporaryFolder(), 'docs');
  const unreadable = await docs('--api', 'nowhere.yaml', '--out', out);
  expect([unreadable.code, unreadable.err, existsSync(out)]).toEqual([
    2,
    expect.stringContaining('nowhere.yaml'),
    false,
  ]);
  expect((await docs('--prot', '1')).code).toBe(2);
  expect((await docs('--serve', '--port', 'x')).code).toBe(2);
});

test('docs:build --serve reloads open pages when a source changes', async () => {
  const folder = await temporaryFolder();
  const api = join(folder, 'openapi.yaml');
  const guide = join(folder, 'guides/errors.md');
  const before = '---\norder: 30\nsummary: What errors mean.\ngroup: Integrate\n---\n# Errors\n\nText.\n';
  await cp(bookshop, api);
  await mkdir(dirname(guide));
  await writeFile(guide, before);
  const given = ['--api', api, '--out', join(folder, 'docs')];
  const serving = startCommand(['docs', '--serve', '--port', '0', '--json', ...given], { cwd: folder });
  onTestFinished(serving.stop);
  await serving.ended;
  const told = () => serving.out + serving.err;
  const address = /"address":"([^"]+)"/.exec(told())?.[1] ?? '';
  expect(await (await fetch(`${address}/guides/errors.html`)).text()).toContain('../assets/live-reload.js');
  expect((await fetch(`${address}/nothing.html`)).status).toBe(404);
  const events = (await fetch(`${address}/live`)).body?.getReader();
  await writeFile(guide, before.replace('order: 30', 'order: many'));
  await expect.poll(told).toContain('Not rebuilt: The guide errors.md must begin');
  await writeFile(guide, before.replace('# Errors', '# Errors again'));
  const event = await events?.read();
  expect(Buffer.from(event?.value ?? []).toString()).toContain('event: changed');
  expect(await (await fetch(`${address}/guides/errors.html`)).text()).toContain('<h1>Errors again</h1>');
  // The pages that reload themselves must not be published.
  const served = /"out":"([^"]+)"/.exec(told())?.[1] ?? '';
  expect([existsSync(join(folder, 'docs')), existsSync(served)]).toEqual([false, true]);
  serving.stop();
  await expect.poll(() => existsSync(served)).toBe(false);
  // The output folder is inside the watched folder, but the pages written there do not trigger a rebuild.
  expect(told().split('Not rebuilt').length).toBe(2);
});

const links: Record<string, string> = {
  'paging.md': 'paging.html',
  '../decisions.md#d20': '../decisions.html#d20',
  '../openapi.yaml#createContact': '../reference/createContact.html',
  '../openapi.yaml#unknown': '../reference.html#unknown',
  '../openapi.yaml': '../reference.html',
  'CHANGELOG.md': 'changelog.html',
  '//example.com/a': 'https://example.com/a',
  'https://example.com/?a=1&amp;b=%20': 'https://example.com/?a=1&b=%20',
  'a&b.md': 'a&b.html',
};
const kept = [
  '../openapi.json',
  '#scopes',
  'mailto:ada@example.com',
  'constructor',
  'https://example.com/a.md',
];
const refused = [
  ...['javascript:alert(1)', 'javascript&colon;alert(1)', 'java&Tab;script:alert(1)', 'data:text/html,x'],
  ...['java&NewLine;script&#58;alert(1)', '&#1; &#x6A;avascript:alert(1)'],
  ...['file:///etc/passwd', 'https:paging.md'],
];

test('links of Markdown lead to pages of the portal, and none runs a script or leads to a file', () => {
  const all = [...Object.keys(links), ...kept, ...refused];
  expect(all.map(linkTo)).toEqual([...Object.values(links), ...kept, ...refused.map(() => '#')]);
});

test('headings with the same text get different anchors, and the anchor of a decision is its number', () => {
  const { sections } = render('# T\n\n## Same\n\na\n\n## Same\n\nb\n\n## D07 · What?\n\nc\n', linkTo);
  expect(sections.map(({ id, text }) => [id, text])).toEqual([
    ['', ''],
    ['same', 'a'],
    ['same-2', 'b'],
    ['d07', 'c'],
  ]);
});

test.each([
  ['nested lists', '- ', 'a', '<li>'],
  ['nested quotes', '> ', 'a', '<blockquote>'],
  ['signs of emphasis that nothing ends', '_a_ _', '', '<em>a</em>'],
  ['a word that could be part of an address', 'a', '@', 'a@'],
  ['rows with fewer cells than the header', '|c\n', '', ''],
])(
  'Markdown of 100 KB takes linear time: %s',
  (_, part, end, shown) => {
    const header = part.startsWith('|') ? `${'|a'.repeat(20_000)}|\n${'|-'.repeat(20_000)}|\n` : '';
    const { html } = render(`${header}${part.repeat(100_000 / part.length)}${end}`, linkTo);
    expect(html).toContain(shown);
    expect(html.length).toBeLessThan(1_000_000);
  },
  30_000,
);

test('long paragraphs keep their emphasis and addresses, and lists 20 levels', () => {
  const words = 'word '.repeat(400);
  const items = Array.from({ length: 20 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n');
  const { html } = render(`${words}**bold** ${words}ada@example.com ${words}\n\n${items}\n`, linkTo);
  expect(html).toContain('<strong>bold</strong>');
  expect(html).toContain('<a href="mailto:ada@example.com">ada@example.com</a>');
  expect(html.split('<li>')).toHaveLength(21);
});

test('code of 300,000 lines gets a fence that is longer than all in it', () => {
  expect(markdownBlock([...Array(300_000).fill('a'), '````'])[0]).toBe('`````');
});
