import { expect, test } from 'vitest';
import { z } from 'zod';
import { cursorPage } from '../../../../scripts/contract/mock/cursor-page.ts';
import { type ParcelParts, parcelProgram, rightParts } from './parcel-client.ts';
import { compiled, problemsIn, surviveProgram } from './run-in-process.ts';

const mock = await compiled('test/scripts/contract/survive/parcels.yaml');
const options = { mock, basePath: '/v1', token: 't' };

test('a correct client of a list with cursors in its bodies survives, and the list ends', async () => {
  const report = await surviveProgram(parcelProgram(rightParts), { ...options, jobs: 8 });
  expect(problemsIn(report)).toEqual([]);
  const ran = report.results.map(({ scenario }) => scenario.name);
  expect(ran).toEqual(expect.arrayContaining(['small-pages', 'largest-values', 'new-error-codes']));
  expect(report.baseline.rejected).toEqual([]);
});

test.each<[string, Partial<ParcelParts>, string]>([
  ['reads only the first page', { nextOf: () => undefined }, 'small-pages: wrong value'],
  [
    'knows only the listed codes of errors',
    { codes: z.enum(['missing', 'gone']) },
    'new-error-codes: lost status',
  ],
])('found: a client that %s', async (_what, fault, found) => {
  const [scenario = ''] = found.split(':');
  const report = await surviveProgram(parcelProgram({ ...rightParts, ...fault }), {
    ...{ ...options, only: [scenario] },
  });
  expect(problemsIn(report)).toContain(found);
});

test('a run in which no scenario applies is an error that names them', async () => {
  const run = surviveProgram(parcelProgram(rightParts), { ...options, only: ['retry-after'] });
  await expect(run).rejects.toThrow(/^No scenario applies .*\n {2}Not applicable: retry-after\. /);
});

test('pages of one parcel lead to all parcels, each once', async () => {
  const { fetch } = mock.createMock({});
  const read = async (query: string) => (await fetch(`http://mock/v1/parcels${query}`)).json();
  const whole = await read('');
  const items: unknown[] = [];
  for (let query = '?limit=1'; query !== ''; ) {
    const page = await read(query);
    expect(page.items.length).toBeLessThanOrEqual(1);
    expect(page.has_more).toBe(page.next !== null);
    items.push(...page.items);
    query = page.next === null ? '' : `?limit=1&cursor=${page.next}`;
  }
  expect(items).toEqual(whole.items);
  expect(items.length).toBeGreaterThan(1);
});

test.each([
  { last: null, isFree: true, mayBeEmpty: true, found: { data: [], page: { next: null, has_more: false } } },
  {
    last: '' as const,
    isFree: false,
    mayBeEmpty: true,
    found: { data: [], page: { next: '', has_more: false } },
  },
  { last: undefined, isFree: true, mayBeEmpty: false, found: { data: [7], page: { has_more: false } } },
])('a generated cursor leads to the last page: %j', ({ found, ...facts }) => {
  const body = { data: [7], page: { next: 'generated', has_more: true } };
  const ofMock = { parameter: 'after', next: ['page', 'next'], ...facts };
  expect(cursorPage(body, ofMock, {})).toEqual(body);
  expect(cursorPage(body, ofMock, { after: 'generated' })).toEqual(found);
});
