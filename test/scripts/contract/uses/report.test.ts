import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeFilesTo } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { applyChange, type Edit } from '../diff/contract-changes.ts';
import { projectWithPackages } from '../docs/reader-project.ts';
import { bookContract, typesOf, writeConsumer } from './consumer-project.ts';

const parleyContract = (cwd: string, ...given: string[]) => runCommand(given, { cwd });

const client = `import createClient from 'openapi-fetch';
import type { paths } from './api-types.ts';
const client = createClient<paths>({ baseUrl: 'https://example.com' });
const { data: books = [] } = await client.GET('/books');
`;

/** Three consumers: one calls a method of the title, one shows it as text, and one does not use it. */
const sources = {
  shop: `${client}process.stdout.write(String(books.map(({ title }) => title?.toUpperCase())));\n`,
  crm: `${client}process.stdout.write(String(books.map((book) => \`\${book.title}\`)));\n`,
  stock: `${client}process.stdout.write(String(books.map(({ isbn }) => isbn)));\n`,
};

const titleIsNumber: readonly Edit[] = [['/components/schemas/Book/properties/title', { type: 'integer' }]];

/** Writes a folder with two versions of the contract, and the consumers. The title becomes a number by default. */
async function writeFolder(
  edits: readonly Edit[] = titleIsNumber,
  contract: object = bookContract(),
): Promise<string> {
  const types = await typesOf(contract);
  const folder = await projectWithPackages(onTestFinished);
  const project = await writeConsumer(folder, { 'src/api-types.ts': types });
  const changed = applyChange(contract, edits);
  const tsconfig = await readFile(project, 'utf8');
  const files: Record<string, string> = {
    'before.json': JSON.stringify(contract),
    'after.json': JSON.stringify(changed),
    'redocly.yaml': settingsFor('consumers/*.json, shop/tsconfig.json'),
  };
  for (const [name, source] of Object.entries(sources)) {
    files[`${name}/tsconfig.json`] = tsconfig;
    files[`${name}/package.json`] = JSON.stringify({ name, type: 'module' });
    files[`${name}/src/api-types.ts`] = types;
    files[`${name}/src/titles.ts`] = source;
  }
  await writeFilesTo(folder, files);
  return folder;
}

const settingsFor = (consumers: string): string =>
  `extends: [recommended]\nx-contract-check:\n  consumers: [${consumers}]\n`;

/** Replaces the program of the shop, which becomes the only consumer. */
async function writeShop(folder: string, source: string): Promise<void> {
  await writeFile(join(folder, 'shop/src/titles.ts'), source);
  await writeFile(join(folder, 'redocly.yaml'), settingsFor('shop/tsconfig.json'));
}

const check = (folder: string, ...more: string[]) =>
  parleyContract(
    folder,
    ...['check', '--only', 'changes', '--api', 'after.json', '--base', 'before.json', ...more],
  );

test('the report of a breaking change names who does not compile, who may break and where', async () => {
  const folder = await writeFolder();
  for (const name of ['crm', 'stock']) {
    const out = `consumers/${name}.json`;
    const written = await parleyContract(folder, 'uses', '--project', `${name}/tsconfig.json`, '--out', out);
    expect(written).toMatchObject({ code: 0, out: '' });
    expect(written.err).toContain('1 operation, 1 property read, 0 objects sent, 0 values not followed');
  }
  const { code, out } = await check(folder, '--markdown', 'report.md', '--sarif', 'report.sarif');
  expect(code).toBe(1);
  const lines = [
    'does not compile: shop at src/titles.ts:5',
    'may break: crm at src/titles.ts:5',
    'not affected, as far as their manifests show: 1 of 3 known consumers',
  ];
  for (const line of lines) expect(out).toContain(`    ${line}\n`);
  const markdown = await readFile(join(folder, 'report.md'), 'utf8');
  for (const line of lines) expect(markdown).toContain(`<br>👥 ${line}<br>`);
  expect(await readFile(join(folder, 'report.sarif'), 'utf8')).toContain(lines[0]);
  const { outcomes } = JSON.parse((await check(folder, '--json')).out);
  const [finding] = outcomes[0].findings;
  expect(finding.consumers).toEqual([
    { consumer: 'crm', verdict: 'may break', places: ['src/titles.ts:5'] },
    { consumer: 'stock', verdict: 'not affected', places: [] },
    { consumer: 'shop', verdict: 'does not compile', places: ['src/titles.ts:5'] },
  ]);
});

const format = '/components/schemas/Book/properties/format';
const withPdf = [[`${format}/enum`, ['paper', 'audio', 'pdf']]] as const;

/** The names of the format are read in one line, and an exhaustive switch is in another one. */
const exhaustive = `${client}for (const { format = 'paper' } of books)
  switch (format) {
    case 'paper':
    case 'audio':
      break;
    default: {
      const rest: never = format;
      process.stdout.write(rest);
    }
  }
`;

test('a consumer with errors at places where it uses no change may break', async () => {
  const folder = await writeFolder(withPdf);
  await writeShop(folder, exhaustive);
  const { code, out } = await check(folder);
  expect(code).toBe(1);
  expect(out).toContain('    may break: shop at src/titles.ts:5, src/titles.ts:11\n');
  expect(out).toContain('shop does not compile with the new types at src/titles.ts:11.');
});

test('names a consumer that does not compile if nothing breaks by the policy of open enumerations', async () => {
  const open = applyChange(bookContract(), [[`${format}/x-open-enum`, true]]);
  const folder = await writeFolder(withPdf, open);
  await writeShop(folder, exhaustive);
  const { code, out } = await check(folder);
  expect(code).toBe(0);
  expect(out).toContain('shop does not compile with the new types at src/titles.ts:11.');
});

test('does not report errors that the consumer also has with the base', async () => {
  const folder = await writeFolder();
  const broken = `${client}export const none: string = books.length;\n`;
  await writeShop(folder, broken);
  const { out } = await check(folder);
  expect(out).toContain('no known consumer is affected');
  expect(out).not.toContain('does not compile');
});

test('a program that only imports types uses what it reads of them', async () => {
  // A webhook could contain the values too.
  const folder = await writeFolder(titleIsNumber, applyChange(bookContract(), [['/webhooks']]));
  await writeFile(
    join(folder, 'crm/src/titles.ts'),
    `import type { components } from './api-types.ts';
const books: components['schemas']['Book'][] = [];
process.stdout.write(String(books.map(({ title }) => title)));
`,
  );
  await parleyContract(folder, ...['uses', '--project', 'crm/tsconfig.json', '--out', 'consumers/crm.json']);
  expect((await check(folder)).out).toContain('    may break: crm at src/titles.ts:3\n');
});

test('names manifests with values that the analysis does not follow', async () => {
  const folder = await writeFolder();
  await writeFile(
    join(folder, 'crm/src/titles.ts'),
    `${client}process.stdout.write(JSON.stringify(books));\n`,
  );
  const given = ['uses', '--project', 'crm/tsconfig.json', '--out', 'consumers/crm.json'];
  const { err } = await parleyContract(folder, ...given);
  expect(err).toContain('  not followed: src/titles.ts:5: its type becomes any');
  const { out } = await check(folder);
  expect(out).toContain('In crm, values leave the analysis at 1 place.');
  expect(out).toContain('may break: crm at src/titles.ts:5');
});

test('uses --check fails if a manifest is not current, and writes nothing', async () => {
  const folder = await writeFolder();
  const uses = (...given: string[]) =>
    parleyContract(folder, 'uses', '--project', 'crm/tsconfig.json', ...given);
  await uses('--out', 'uses.json');
  const written = await readFile(join(folder, 'uses.json'), 'utf8');
  expect(await uses('--check', 'uses.json')).toMatchObject({ code: 0 });
  await writeFile(join(folder, 'crm/src/titles.ts'), `\n${sources.crm}`);
  const stale = await uses('--check', 'uses.json');
  expect(stale).toMatchObject({ code: 1 });
  expect(stale.err).toContain('uses.json is not current. Run: parley-contract uses --out uses.json');
  expect(await readFile(join(folder, 'uses.json'), 'utf8')).toBe(written);
  // A manifest contains names of the contract and places, but no source text.
  expect(written).not.toContain('example.com');
});

test.each([
  [
    'a project that does not exist',
    ['--project', 'nowhere/tsconfig.json'],
    'There is no nowhere/tsconfig.json',
  ],
  ['a project without types of a contract', ['--project', 'empty/tsconfig.json'], 'does not import types'],
  [
    'a manifest with other content',
    ['--project', 'crm/tsconfig.json', '--check', 'before.json'],
    'is no manifest',
  ],
])('uses explains %s', async (_name, given, message) => {
  const folder = await writeFolder();
  await writeFilesTo(folder, {
    'empty/tsconfig.json': '{ "files": ["a.ts"] }',
    'empty/a.ts': 'export {};\n',
  });
  const { code, err } = await parleyContract(folder, 'uses', ...given);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
