import { expect, onTestFinished, test } from 'vitest';
import { collectUses } from '../../../../scripts/contract/uses/collect-uses.ts';
import { projectWithPackages } from '../docs/reader-project.ts';
import { bookContract } from './book-contract.ts';
import { typesOf, writeConsumer } from './consumer-project.ts';
import { waysNotToRead, waysToRead } from './ways-to-read.ts';

const head = `import createClient from 'openapi-fetch';
import type { components, paths } from './api-types.ts';
type Book = components['schemas']['Book'];
const client = createClient<paths>({ baseUrl: 'https://example.com' });
const getBook = async () => (await client.GET('/books/{isbn}', { params: { path: { isbn: '1' } } })).data!;
const listBooks = async () => (await client.GET('/books')).data!;
const use = (_value: string | number | boolean | undefined | readonly (string | undefined)[] | object) => {};
void [getBook, listBooks, use];
`;

type Ways = typeof waysToRead;

async function placesOfTitle(ways: Ways): Promise<string[]> {
  const sources = ways.map(([, code], index) => [`src/way-${index}.ts`, `${head}${code}\nexport type {};\n`]);
  const types = await typesOf(bookContract());
  const folder = await projectWithPackages(onTestFinished);
  const project = await writeConsumer(folder, { 'src/api-types.ts': types, ...Object.fromEntries(sources) });
  const { manifest } = collectUses({ project, consumer: 'shop', now: '2026-11-25T00:00:00.000Z' });
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
