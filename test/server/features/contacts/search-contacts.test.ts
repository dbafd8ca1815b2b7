import { expect, test, vi } from 'vitest';
import { purgeDeletedFieldValues } from '../../../../server/features/contacts/background-jobs.ts';
import { withDefaults } from '../../../../server/features/contacts/columns.ts';
import { newContactRow } from '../../../../server/features/contacts/create.ts';
import { deleteContact } from '../../../../server/features/contacts/delete.ts';
import { parseSearchQuery } from '../../../../server/features/contacts/search-text.ts';
import { deleteField } from '../../../../server/features/fields/definitions.ts';
import { insertMany } from '../../../../server/storage/queries/bulk.ts';
import { searchContactRows as searchRows } from '../../../../server/storage/queries/contacts.ts';
import type { ApiReply } from '../../../support/api-client.ts';
import { onPostgres, type TestDatabase } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';

const idsIn = ({ body }: ApiReply): number[] => body.map(({ id }: { id: number }) => id);

test('searches names, e-mail addresses, phone numbers and custom field values', async () => {
  const { api, company } = await startService();
  const field = await company.field();
  const id = await company.contact({
    first_name: 'Jürgen',
    last_name: 'Weiß',
    email_address: 'j.w@example.com',
    telephone_number: '+491701234567',
    integration: 'not-looked-at',
    fields: [{ id: field.id, value: 'Blue parcel' }],
  });
  await company.contact({ first_name: 'Somebody', last_name: 'Else' });
  for (const query of ['jurgen', 'WEISS', 'weiß jür', 'w@ex', '170 123', '+49 170', 'parc', 'bl', 'j wei 49'])
    expect(idsIn(await api.searchContacts(query)), query).toEqual([id]);
  for (const query of ['ürgenx', 'not-looked', 'weiss else', 'eiss x', 'lu'])
    expect(idsIn(await api.searchContacts(query)), query).toEqual([]);
});

test('returns matches ordered by ID, in pages with links and an optional total', async () => {
  const { api, company } = await startService();
  const ids: number[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(await company.contact({ first_name: `Ada${count}` }));
  await company.contact({ first_name: 'Bea' });
  const page = await api.searchContacts('ada', '&per_page=2&page=1', { prefer: 'count=exact' });
  expect(idsIn(page)).toEqual(ids.slice(2, 4));
  expect([page.headers.get('x-total-count'), page.headers.get('preference-applied')]).toEqual([
    '5',
    'count=exact',
  ]);
  const links = Array.from(page.headers.get('link')?.matchAll(/<([^>]+)>; rel="(\w+)"/g) ?? []);
  expect(links.map(([, , relation]) => relation)).toEqual(['first', 'prev', 'next']);
  const next = await api.send(links[2]?.[1] ?? '');
  expect(idsIn(next)).toEqual(ids.slice(4));
  expect(next.headers.get('link')).not.toContain('next');
  expect(idsIn(await api.searchContacts('ada', '&page=9'))).toEqual([]);
  expect((await api.searchContacts('ada', '&per_page=5')).headers.get('link')).not.toContain('next');
});

test('finds updated contacts by their current values', async () => {
  const { api, company } = await startService();
  const id = await company.contact({ first_name: 'Before' });
  await api.updateContact(id, { ...(await api.getContact(id)).body, first_name: 'After' });
  expect(idsIn(await api.searchContacts('after'))).toEqual([id]);
  expect(idsIn(await api.searchContacts('before'))).toEqual([]);
});

test('finds no deleted contacts', async () => {
  const { api, company, store, now } = await startService();
  const id = await company.contact({ first_name: 'Ada' });
  await store.write((db) => deleteContact(db, company.id, id, now()));
  const gone = await api.searchContacts('ada', '', { prefer: 'count=exact' });
  expect([idsIn(gone), gone.headers.get('x-total-count')]).toEqual([[], '0']);
});

test('removes the values of a deleted field from the search texts of many contacts', async () => {
  const { api, company, store, now } = await startService();
  const field = await company.field();
  const values = { first_name: 'Ada', last_name: 'Lindqvist', fields: [{ id: field.id, value: 'parcel' }] };
  await company.import(
    Array.from({ length: 450 }, (_, key) => ({ kind: 'contact', key: `${key}`, ...values })),
  );
  const total = async (query: string) =>
    (await api.searchContacts(query, '', { prefer: 'count=exact' })).headers.get('x-total-count');
  expect(await total('parcel')).toBe('450');
  await store.write((db) => deleteField(db, company.id, field.id, now()));
  expect([await purgeDeletedFieldValues(store), await purgeDeletedFieldValues(store)]).toEqual([450, 0]);
  expect([await total('parcel'), await total('ada'), await total('lindq')]).toEqual(['0', '450', '450']);
});

test('a query cannot match the company marker in the search index', async () => {
  const { api, company } = await startService();
  await company.contact({ first_name: 'Ada' });
  for (const query of ['\u{F0001}ada', '\u{F0000}\u{F0001}ada', '\u0002\u{F0000}\u{F0001}'])
    expect((await api.searchContacts(query)).body, JSON.stringify(query)).toEqual([]);
});

test('searching for a long run of one letter does not delay other requests', async () => {
  const { api, company } = await startService();
  const field = await company.field({ type: 'text' });
  const value = `${'a'.repeat(65_500)} aab`;
  for (let count = 0; count < 10; count += 1)
    await company.contact({ first_name: 'x', fields: [{ id: field.id, value }] });
  const last = await company.contact({ first_name: `${'a'.repeat(250)}b` });
  const ask = () => api.searchContacts(`${'a'.repeat(249)}b`, '', { prefer: 'count=exact' });
  const search = ask();
  // As an FTS5 phrase query, this search would take seconds and block all other requests.
  const others = await Promise.all(Array.from({ length: 20 }, () => api.getContact(last)));
  expect(others.every(({ status }) => status === 200)).toBe(true);
  await search;
  // The search may time out on a busy machine, so it is repeated until it succeeds.
  const found = await vi.waitUntil(async () => [await ask()].find(({ status }) => status === 200), {
    timeout: 60_000,
  });
  expect([idsIn(found), found.headers.get('x-total-count')]).toEqual([[last], '1']);
});

test('finds a long word on every page, even if the index also returns many false matches', async () => {
  const { api, company, store } = await startService();
  const row = newContactRow(withDefaults({ first_name: 'Lindqvist' }), [], company.id, 1);
  // `near` has all trigrams of the word but not the word itself: the index returns it, but its text does not match.
  const near = newContactRow(withDefaults({ first_name: 'lindq dqv qvist' }), [], company.id, 1);
  const rows = Array.from({ length: 1_500 }, (_, index) => (index % 3 === 0 ? row : near));
  const ids = await store.write((db) => insertMany(db, 'contacts', rows));
  const found = ids.filter((_, index) => index % 3 === 0);
  for (const page of [0, 2, 4]) {
    const reply = await api.searchContacts('lindqvist', `&per_page=100&page=${page}`, {
      prefer: 'count=exact',
    });
    expect(idsIn(reply)).toEqual(found.slice(100 * page, 100 * page + 100));
    expect([reply.headers.get('x-total-count'), reply.headers.get('link')?.includes('next')]).toEqual([
      '500',
      page < 4,
    ]);
  }
});

test('finds only contacts that match all words, including words that the index query omits', async () => {
  const { api, company } = await startService();
  const words = Array.from({ length: 14 }, (_, number) => `w${String(number).padStart(2, '0')}`);
  const all = await company.contact({ first_name: words.join(' ') });
  await company.contact({ first_name: words.slice(0, -1).join(' ') });
  const page = await api.searchContacts(words.join(' '), '', { prefer: 'count=exact' });
  expect([idsIn(page), page.headers.get('x-total-count')]).toEqual([[all], '1']);
  await company.contact({ first_name: '1234 x', last_name: '2345 3456' });
  expect(idsIn(await api.searchContacts('123 456 9'))).toEqual([]);
});

test('searches characters outside the basic multilingual plane', async () => {
  const { api, company } = await startService();
  const id = await company.contact({
    first_name: '\u{1F44D}\u{1F44E}\u{1F44D}\u{1F44E} x',
    last_name: '\u{1F600}shop',
  });
  for (const query of ['\u{1F44E}\u{1F44D}\u{1F44E}', '\u{1F44D}\u{1F44E}', '\u{1F600}', '\u{1F600}s'])
    expect(idsIn(await api.searchContacts(query)), query).toEqual([id]);
  expect(idsIn(await api.searchContacts('\u{1F44E}\u{1F44D}'))).toEqual([]);
});

test('finds no contacts of another company, even if the index markers of both share a character', async () => {
  const { store, now } = await startService();
  const numbers = [65_533, 65_534, 65_535, 131_068];
  await store.write(async (db) => {
    for (const id of numbers) {
      await db.insertInto('companies').values({ id, name: 'x', created_at: 1 }).execute();
      await insertMany(db, 'contacts', [newContactRow(withDefaults({ first_name: 'Ada' }), [], id, now())]);
    }
  });
  for (const companyId of numbers) {
    const found = await store.read((db) =>
      searchRows(db, { companyId, anyOf: parseSearchQuery('ada'), limit: 9, offset: 0 }),
    );
    expect(found.map(({ contact }) => contact.company_id)).toEqual([companyId]);
  }
});

/** Makes searches time out: by a fast clock on SQLite, by a lock on PostgreSQL. @returns a function that ends this */
async function slowedDown({ exclude }: TestDatabase): Promise<() => Promise<void>> {
  if (onPostgres) return exclude();
  let clock = 0;
  const running = vi.spyOn(performance, 'now').mockImplementation(() => {
    clock += 3_000;
    return clock;
  });
  return async () => running.mockRestore();
}

test('returns 503 with Retry-After if a search times out', async () => {
  const { api, company, database } = await startService();
  for (let count = 0; count < 5; count += 1) await company.contact({ first_name: 'Lindqvist' });
  const letGo = await slowedDown(database);
  const replies = await Promise.all(Array.from({ length: 4 }, () => api.searchContacts('lindqvist')));
  await letGo();
  for (const reply of replies) {
    expect(reply).toBeApiError(503, 50301, 'query/query');
    expect(reply.headers.get('retry-after')).toBe('1');
  }
  expect((await api.searchContacts('lindqvist')).body).toHaveLength(5);
});

test('accepts a query with the maximum number of words', async () => {
  const { api, company } = await startService();
  const id = await company.contact({ first_name: 'a b c d' });
  expect(idsIn(await api.searchContacts('a b '.repeat(64)))).toEqual([id]);
});

test.each([
  ['blanks', '?query=%20%20', 'query/query'],
  ['marks alone', '?query=%CC%81', 'query/query'],
  ['NUL', '?query=a%00b', 'query/query'],
])('rejects a search with an invalid query string: %s', async (_what, query, fields) => {
  const { api } = await startService();
  expect(await api.send(`/api/v1/contacts/search${query}`)).toBeApiError(422, 42201, fields);
});

test('a search counts as five requests in the rate limit', async () => {
  const { api } = await startService({ tokenLimit: { name: 'token', perMinute: 1, burst: 7 } });
  expect((await api.searchContacts('a')).headers.get('ratelimit')).toMatch(/r=2;/);
  expect(await api.searchContacts('a')).toBeApiError(429, 42901);
  expect((await api.listContacts()).headers.get('ratelimit')).toMatch(/r=1;/);
});
