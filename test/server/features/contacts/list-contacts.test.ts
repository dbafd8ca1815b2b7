import { expect, test } from 'vitest';
import { deleteContact } from '../../../../server/features/contacts/delete.ts';
import type { ApiReply } from '../../../support/api-client.ts';
import { startService } from '../../../support/service.ts';

const idsIn = ({ body }: ApiReply): number[] => body.map((contact: { id: number }) => contact.id);

async function withContacts(count: number) {
  const service = await startService();
  const ids: number[] = [];
  for (let number = 0; number < count; number += 1) ids.push(await service.company.contact());
  return { ...service, ids };
}

const linksOf = (reply: ApiReply): Record<string, string> =>
  Object.fromEntries(
    Array.from(reply.headers.get('link')?.matchAll(/<([^>]*)>; rel="(\w+)"/g) ?? [], ([, url, relation]) => [
      relation,
      url,
    ]),
  );

test('without parameters returns the first twenty contacts, ordered by ID', async () => {
  const { api, ids } = await withContacts(21);
  expect(idsIn(await api.listContacts())).toEqual(ids.slice(0, 20));
});

test('links keep the other parameters, and point to the first and previous page', async () => {
  const { api } = await withContacts(5);
  const { first, prev, next } = linksOf(
    await api.listContacts('?per_page=1&page=2&order=desc&date_from=2020-01-01T00:00:00%2B01:00'),
  );
  for (const [link, page] of [
    [first, '0'],
    [prev, '1'],
    [next, '3'],
  ] as const) {
    const url = new URL(link ?? '', 'http://here');
    expect(url.pathname).toBe('/api/v1/contacts');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      page,
      per_page: '1',
      order: 'desc',
      date_from: '2020-01-01T00:00:00+01:00',
    });
    expect((await api.send(link ?? '')).status).toBe(200);
  }
});

test('includes anonymous contacts only on request; a contact with an empty name is anonymous', async () => {
  const { api, company } = await startService();
  const known = await company.contact({ telephone_number: '+46701234567' });
  const anonymous = [await company.contact({}), await company.contact({ first_name: '', integration: 'x' })];
  expect(idsIn(await api.listContacts())).toEqual([known]);
  expect(idsIn(await api.listContacts('?include_anonymous=false'))).toEqual([known]);
  expect(idsIn(await api.listContacts('?include_anonymous=true'))).toEqual([known, ...anonymous]);
});

test('a date range includes its start and excludes its end', async () => {
  let clock = Date.parse('2026-03-01T00:00:00.000Z');
  const { api, company } = await startService({ now: () => clock });
  const ids: number[] = [];
  for (let step = 0; step < 3; step += 1) {
    ids.push(await company.contact());
    clock += 1;
  }
  const between = (from: string, to: string) => api.listContacts(`?date_from=${from}&date_to=${to}`);
  expect(idsIn(await between('2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.002Z'))).toEqual([ids[1]]);
  expect(idsIn(await between('2026-03-01T01:00:00.000%2B01:00', '2026-03-01T00:00:00.0019999Z'))).toEqual([
    ids[0],
  ]);
  expect(idsIn(await api.listContacts('?date_from=2026-03-01T00:00:00.002Z'))).toEqual([ids[2]]);
  expect(idsIn(await api.listContacts('?date_to=2026-03-01T00:00:00.002Z'))).toEqual(ids.slice(0, 2));
});

test('rejects a date range that ends before it starts and names both parameters, but allows an empty one', async () => {
  const { api } = await startService();
  const range = (from: string, to: string) => api.listContacts(`?date_from=${from}&date_to=${to}`);
  expect(await range('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z')).toBeApiError(
    422,
    42201,
    'query/date_from, query/date_to',
  );
  expect((await range('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).body).toEqual([]);
});

test('returns the total of the filtered contacts only if the Prefer header requests it', async () => {
  const { api, company } = await startService();
  for (let count = 0; count < 3; count += 1) await company.contact();
  await company.contact({});
  const silent = await api.listContacts('?per_page=1');
  expect([silent.headers.get('x-total-count'), silent.headers.get('preference-applied')]).toEqual([
    null,
    null,
  ]);
  for (const prefer of ['count=exact', 'handling=strict, count="exact"', 'wait=10, COUNT=exact; x=1']) {
    const counted = await api.listContacts('?per_page=1', { prefer });
    expect([counted.headers.get('x-total-count'), counted.headers.get('preference-applied')]).toEqual([
      '3',
      'count=exact',
    ]);
  }
  for (const prefer of ['count=none', 'x="count=exact"', 'recount=exact', 'count=none, count=exact'])
    expect((await api.listContacts('', { prefer })).headers.get('x-total-count')).toBeNull();
  expect(
    (await api.listContacts('?include_anonymous=true', { prefer: 'count=exact' })).headers.get(
      'x-total-count',
    ),
  ).toBe('4');
});

test.each(['asc', 'desc'] as const)(
  'by `next` links with order=%s, each contact appears once, although others are deleted and created meanwhile',
  async (order) => {
    const { api, ids, company, store, now } = await withContacts(9);
    const stay = order === 'asc' ? ids : ids.toReversed();
    const seen: number[] = [];
    let path: string | undefined = `/api/v1/contacts?per_page=2&order=${order}`;
    for (let pages = 0; path !== undefined; pages += 1) {
      const reply: ApiReply = await api.send(path);
      seen.push(...idsIn(reply));
      path = linksOf(reply).next;
      // Deleting a contact that was read would move the others to earlier pages, if pages were counted.
      if (pages < 3) await store.write((db) => deleteContact(db, company.id, seen[pages] ?? 0, now()));
      await company.contact();
    }
    expect(seen.filter((id) => ids.includes(id))).toEqual(stay);
    expect(new Set(seen).size).toBe(seen.length);
  },
);

test('`after` continues a list in a date range, and ignores `page`', async () => {
  const { api, ids } = await withContacts(6);
  const range = 'date_from=2020-01-01T00:00:00Z&date_to=2100-01-01T00:00:00Z';
  expect(idsIn(await api.listContacts(`?${range}&after=${ids[2]}&page=7`))).toEqual(ids.slice(3));
  expect(idsIn(await api.listContacts(`?${range}&after=${ids[2]}&order=desc&per_page=1`))).toEqual([ids[1]]);
  expect(idsIn(await api.listContacts(`?after=${ids[5]}`))).toEqual([]);
});
