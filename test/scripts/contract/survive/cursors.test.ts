import { expect, test } from 'vitest';
import { cursorPage } from '../../../../scripts/contract/mock/cursor-page.ts';
import { survived } from '../../../../scripts/package/survived.ts';
import { compiled, problemsIn, surviveProgram } from './run-in-process.ts';

const mock = await compiled('test/scripts/contract/survive/parcels.yaml');
const options = { mock, basePath: '/v1', token: 't' };

/** Maximum number of pages that the program reads, so that it ends if the list does not. */
const maxPages = 20;

/** Creates the program of a team that tests its client for a list with cursors in its bodies. */
const parcelProgram =
  (nextOf: (page: { next: string | null }) => string | null) =>
  async (environment: NodeJS.ProcessEnv): Promise<void> => {
    const list = async () => {
      const all: unknown[] = [];
      let query = '';
      for (let count = 0; count < maxPages; count += 1) {
        const response = await fetch(`${environment.SURVIVE_URL}/parcels${query}`);
        if (!response.ok)
          throw Object.assign(new Error(`The service responded ${response.status}.`), {
            status: response.status,
          });
        const page = await response.json();
        all.push(...page.items);
        const next = nextOf(page);
        if (next === null) return all;
        query = `?cursor=${encodeURIComponent(next)}`;
      }
      throw new Error('The list has no end.');
    };
    await survived(list, { complete: true, environment });
  };

const only = ['small-pages', 'status-404'];

test('a correct client of a list with cursors in its bodies survives, and the list ends', async () => {
  const report = await surviveProgram(
    parcelProgram(({ next }) => next),
    { ...options, only },
  );
  expect(problemsIn(report)).toEqual([]);
  expect(report.results.map(({ scenario }) => scenario.name).sort()).toEqual(only.toSorted());
  expect(report.baseline.rejected).toEqual([]);
});

test('found: a client that reads only the first page', async () => {
  const report = await surviveProgram(
    parcelProgram(() => null),
    { ...options, only },
  );
  expect(problemsIn(report)).toContain('small-pages: wrong value');
});

test('a run in which no scenario applies is an error that names them', async () => {
  const run = surviveProgram(
    parcelProgram(() => null),
    { ...options, only: ['retry-after'] },
  );
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
