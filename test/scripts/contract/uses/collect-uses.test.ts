import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { collectUses } from '../../../../scripts/contract/uses/collect-uses.ts';
import type { UsesManifest } from '../../../../scripts/contract/uses/manifest.ts';
import { readProject } from '../../../../scripts/contract/uses/read-project.ts';
import { projectWithPackages } from '../docs/reader-project.ts';
import { bookContract, typesOf, writeConsumer } from './consumer-project.ts';

const head = `import createClient from 'openapi-fetch';
import type { components, paths } from './api-types.ts';
type Book = components['schemas']['Book'];
const client = createClient<paths>({ baseUrl: 'https://example.com' });
const getBook = async () => (await client.GET('/books/{isbn}', { params: { path: { isbn: '1' } } })).data!;
const listBooks = async () => (await client.GET('/books')).data!;
const use = (_value: string | number | boolean | undefined | readonly (string | undefined)[] | object) => {};
void [getBook, listBooks, use];
`;

type Ways = readonly (readonly [name: string, code: string])[];

/** Reads programs from a file: in each line a name and the code. */
const programsOf = (file: string): Ways =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n')
    .map((each) => [each.split(': ', 1)[0] ?? '', each.slice(each.indexOf(': ') + 2)]);

/** Each program gets a book from the API, and reads its title in another way. */
const waysToRead = programsOf('ways-to-read.txt');
/** Programs that get a book, but do not read its title. */
const waysNotToRead = programsOf('ways-not-to-read.txt');

async function manifestOf(ways: Ways, format = (types: string) => types): Promise<UsesManifest> {
  const sources = ways.map(([, code], index) => [`src/way-${index}.ts`, `${head}${code}\nexport type {};\n`]);
  const types = format(await typesOf(bookContract()));
  const folder = await projectWithPackages(onTestFinished);
  const project = await writeConsumer(folder, { 'src/api-types.ts': types, ...Object.fromEntries(sources) });
  return collectUses(readProject(project), 'shop').manifest;
}

async function placesOfTitle(ways: Ways): Promise<string[]> {
  const manifest = await manifestOf(ways);
  return [
    ...manifest.reads
      .filter(({ schema, property }) => schema === 'Book' && property === 'title')
      .flatMap(({ at }) => at),
    ...manifest.escapes.filter(({ schemas }) => schemas.includes('Book')).map(({ at }) => at),
    ...manifest.operations.filter(({ open }) => open).flatMap(({ at }) => at),
  ];
}

const line = head.split('\n').length;

test('finds each way to read a property, with its place', async () => {
  const places = await placesOfTitle(waysToRead);
  const missed = waysToRead.filter((_way, index) => !places.includes(`src/way-${index}.ts:${line}`));
  expect(missed.map(([name]) => name)).toEqual([]);
  expect(waysToRead.length).toBeGreaterThanOrEqual(60);
});

test('does not report a read of a property that a program does not use', async () => {
  const places = await placesOfTitle(waysNotToRead);
  const found = waysNotToRead.filter((_way, index) =>
    places.some((place) => place.startsWith(`src/way-${index}.ts:`)),
  );
  expect(found.map(([name]) => name)).toEqual([]);
});

const answer = `const { response } = await client.GET('/books');`;

test.each([
  ['get', `${answer} use(response.headers.get('ETag') ?? '');`, ['etag']],
  ['destructuring', `${answer} const { headers } = response; use(headers.has('ETag'));`, ['etag']],
  ['a list', `${answer} use([...response.headers]);`, ['*']],
  ['a loop', `${answer} response.headers.forEach((value) => use(value));`, ['*']],
  [
    'a function',
    `const log = (headers: Headers) => use(headers.get('ETag') ?? ''); ${answer} log(response.headers);`,
    ['*', 'etag'],
  ],
  ['an unknown name', `declare const name: string; ${answer} use(response.headers.get(name) ?? '');`, ['*']],
  ['nothing', answer, []],
])('finds the headers that are read by %s', async (name, code, expected) => {
  const { headers } = await manifestOf([[name, code]]);
  expect(headers.map((header) => header.name)).toEqual(expected);
});

test('a call with an unknown path counts as a call of every operation with its method', async () => {
  const { operations } = await manifestOf([
    ['any', `declare const path: any; use((await client.GET(path)).response.status);`],
  ]);
  const open = operations.filter((each) => each.open).map(({ operation }) => operation);
  expect(open).toEqual(['GET /books', 'GET /books/{isbn}', 'GET /ping']);
});

test.each([
  ['passed', `declare const options: any; await client.POST('/books', options);`],
  ['spread', `declare const options: any; await client.POST('/books', { ...options });`],
  ['cast to never', `await client.POST('/books', JSON.parse('{}') as never);`],
  ['spread and cast to never', `await client.POST('/books', { ...(JSON.parse('{}') as never) });`],
])('a call with options of type any that are %s uses everything of its operation', async (name, code) => {
  const { operations } = await manifestOf([[name, code]]);
  const open = operations.filter((each) => each.open).map(({ operation }) => operation);
  expect(open).toEqual(['POST /books']);
});

test('finds the sent objects, with the properties that they always have', async () => {
  const { sends, parameters } = await manifestOf([
    ['literal', `await client.POST('/books', { body: { title: 'Emma' } });`],
    [
      'own type',
      `declare const book: { title: string; format?: 'paper' }; await client.POST('/books', { body: book });`,
    ],
    ['any', `await client.POST('/books', { body: JSON.parse('{}') });`],
    ['parameter', `await client.GET('/books', { params: { query: { page: 1 } } });`],
    [
      'spread options',
      `declare const options: { body: { title: string } }; await client.POST('/books', { ...options });`,
    ],
    ['spread in a body', `declare const book: any; await client.POST('/books', { body: { ...book } });`],
    ['cast to never', `declare const book: object; await client.POST('/books', { body: book as never });`],
    [
      'spread cast to never in a body',
      `declare const book: object; await client.POST('/books', { body: { title: 'x', ...(book as never) } });`,
    ],
  ]);
  const of = (index: number) =>
    sends
      .filter(
        ({ schema, at }) => schema === 'Book' && at.some((place) => place.startsWith(`src/way-${index}.`)),
      )
      .map(({ properties, always, open }) => ({ properties, always, open }));
  expect(of(0)).toEqual([{ properties: ['title'], always: ['title'], open: false }]);
  expect(of(1)).toContainEqual({ properties: ['format', 'title'], always: ['title'], open: false });
  expect(of(2)).toContainEqual({ properties: [], always: [], open: true });
  expect(of(4)).toContainEqual({ properties: ['title'], always: ['title'], open: false });
  expect(of(5)).toContainEqual({ properties: [], always: [], open: true });
  for (const index of [6, 7]) expect(of(index)).toContainEqual({ properties: [], always: [], open: true });
  expect(parameters.map(({ in: place, name }) => `${place} ${name}`)).toContain('query page');
});

const request = `const { error } = await client.POST('/books', { body: { title: 'Emma' } });`;

test.each([
  ['a comparison', `${request} if (error?.code !== 'TAKEN') use(1);`],
  ['a switch', `${request} switch (error?.code) { case 'TAKEN': use(1); }`],
  ['a list', `${request} const code = error?.code; use(code !== undefined && ['TAKEN'].includes(code));`],
])('finds the error codes that are handled by %s', async (name, code) => {
  const { codes } = await manifestOf([[name, code]]);
  expect(codes).toEqual([{ code: 'TAKEN', at: [`src/way-0.ts:${line}`] }]);
});

test('does not record codes that the contract does not have', async () => {
  const { codes } = await manifestOf([
    ['system', `declare const error: { code: string }; use(error.code === 'ENOENT');`],
  ]);
  expect(codes).toEqual([]);
});

test('understands types that a formatter has changed', async () => {
  const ways: Ways = [['author', `const book = await getBook(); use(book.author?.name);`]];
  const [plain, formatted] = [
    await manifestOf(ways),
    await manifestOf(ways, (types) => types.replaceAll('"', "'").replaceAll(/ {4}/g, '\t')),
  ];
  expect(plain.reads.map(({ refersTo }) => refersTo)).toContainEqual(['Author']);
  expect(formatted).toEqual(plain);
});
