import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Conflict, createClient, ParleyError } from '../../client/index.ts';
import { emptyContact, startService } from '../support/service.ts';

async function startWithClient() {
  const service = await startService();
  const { token } = await service.company.token();
  const parley = createClient({ baseUrl: service.base, token });
  /** Reads a contact. */
  const read = (id: number) => parley.throwing.GET('/api/v1/contacts/{id}', { params: { path: { id } } });
  return { ...service, parley, read, token };
}

test('returns an error response as a value with code, message, fields and request ID', async () => {
  const { parley } = await startWithClient();
  const { data, error } = await parley.POST('/api/v1/contacts', {
    body: { email_address: 'nowhere', telephone_number: '12' },
    headers: { 'X-Request-Id': 'mine-1' },
  });
  expect([data, error]).toEqual([undefined, expect.any(ParleyError)]);
  expect(error).toMatchObject({
    status: 422,
    code: 42201,
    locations: ['/email_address', '/telephone_number'],
    requestId: 'mine-1',
    retryAfter: undefined,
  });
  expect(error?.message).toContain('/email_address');
  expect(error?.fields).toBe('/email_address, /telephone_number');
});

test('returns error 40102 for an unknown token, and calls a token function for each request', async () => {
  const { base, token } = await startWithClient();
  const unauthenticated = createClient({ baseUrl: base, token: 'ply_live_nobody' });
  expect((await unauthenticated.GET('/api/v1/fields')).error?.code).toBe(40102);
  const tokens = ['ply_live_old', token];
  const renewed = createClient({ baseUrl: `${base}/`, token: async () => tokens.shift() ?? token });
  expect((await renewed.GET('/api/v1/fields')).error?.code).toBe(40102);
  expect((await renewed.GET('/api/v1/fields')).data).toEqual([]);
});

test('iterates over all pages in order, and yields each item once', async () => {
  const { parley, company } = await startWithClient();
  const ids: number[] = [];
  for (let n = 0; n < 7; n++) ids.push(await company.contact({ first_name: `Ada ${n}` }));
  const query = { per_page: 3 };
  const found: number[] = [];
  for await (const contact of parley.items('/api/v1/contacts', { params: { query } })) found.push(contact.id);
  expect(found).toEqual(ids);

  const pages: [number, number | undefined][] = [];
  for await (const { items, total } of parley.pages('/api/v1/contacts/search', {
    params: { query: { ...query, query: 'ada' }, header: { Prefer: 'count=exact' } },
  }))
    pages.push([items.length, total]);
  expect(pages).toEqual([
    [3, 7],
    [3, undefined],
    [1, undefined],
  ]);
});

test('starts iterating at the given page, and throws if a page request returns an error', async () => {
  const { parley, company } = await startWithClient();
  for (let n = 0; n < 5; n++) await company.contact();
  const pageSizes: number[] = [];
  for await (const { items } of parley.pages('/api/v1/contacts', {
    params: { query: { page: 1, per_page: 2, order: 'desc' } },
  }))
    pageSizes.push(items.length);
  expect(pageSizes).toEqual([2, 1]);
  const refused = parley.items('/api/v1/contacts', { params: { query: { per_page: 1_000 } } }).next();
  await expect(refused).rejects.toMatchObject({ code: 42201, locations: ['query/per_page'] });
});

test('retries a conditional update after another client changed the object', async () => {
  const { parley, read, company, api } = await startWithClient();
  const id = await company.contact({ first_name: 'Ada' });
  let times = 0;
  await parley.changeContact(id, async (contact) => {
    times += 1;
    if (times === 1) await api.updateContact(id, { ...emptyContact, first_name: 'Grace' });
    return { ...contact, last_name: 'Lindqvist' };
  });
  expect(times).toBe(2);
  expect(await read(id)).toMatchObject({ first_name: 'Grace', last_name: 'Lindqvist', status: 'online' });
});

test('passes a conflict to the caller, who can give up the update', async () => {
  const { parley, read, company, api } = await startWithClient();
  const id = await company.contact({ first_name: 'Ada' });
  const conflicts: (Conflict | undefined)[] = [];
  const change = parley.changeContact(id, async (contact, conflict) => {
    conflicts.push(conflict);
    if (conflict) return undefined;
    await api.updateContact(id, { ...contact, first_name: 'Grace' });
    return { ...contact, first_name: 'Adele' };
  });
  expect(await change).toBe(false);
  expect(conflicts).toEqual([
    undefined,
    expect.objectContaining({
      before: expect.objectContaining({ first_name: 'Ada' }),
      current: expect.objectContaining({ first_name: 'Grace' }),
      rejected: expect.objectContaining({ first_name: 'Adele' }),
    }),
  ]);
  // Without a conflict, undefined leaves the contact unchanged.
  expect(await parley.changeContact(id, () => undefined)).toBe(false);
  expect((await read(id)).first_name).toBe('Grace');
});

test('changeContact reports a change since the user saw the contact, and returns whether it has written', async () => {
  const { company, parley, read } = await startWithClient();
  const id = await company.contact({ first_name: 'Ada' });
  const shown = await read(id);
  const rename = (name: string, first: typeof shown, override = true) =>
    parley.changeContact(
      id,
      (contact, conflict) => {
        seen.push(conflict && [conflict.before.first_name, conflict.current.first_name]);
        return conflict && !override ? undefined : { ...contact, first_name: name };
      },
      { shown: first },
    );
  const seen: unknown[] = [];
  expect(await rename('Grace', shown)).toBe(true);
  expect(await rename('Mary', shown, false)).toBe(false);
  expect(await rename('Joan', shown)).toBe(true);
  expect(seen).toEqual([undefined, ['Ada', 'Grace'], ['Ada', 'Grace']]);
  expect((await read(id)).first_name).toBe('Joan');
});

test('useInfiniteQuery loads each page once, and invalidation by path loads them again', async () => {
  const { parley, company } = await startWithClient();
  for (let made = 0; made < 5; made++) await company.contact();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const options = parley.infinite('/api/v1/contacts', { params: { query: { per_page: 2 } } });
  const observer = new InfiniteQueryObserver(client, options);
  onTestFinished(observer.subscribe(() => {}));
  for (let page = 1; page <= 3; page++) await observer.fetchNextPage();
  const { data, hasNextPage } = observer.getCurrentResult();
  expect([data?.pages.map(({ items }) => items.length), hasNextPage]).toEqual([[2, 2, 1], false]);
  expect(new Set(data?.pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(5);
  await company.contact();
  await client.invalidateQueries({ queryKey: ['get', '/api/v1/contacts'] });
  expect(observer.getCurrentResult().data?.pages.map(({ items }) => items.length)).toEqual([2, 2, 2]);
});

test('a path as baseUrl refers to the origin of the page', async () => {
  const { base, token } = await startWithClient();
  expect(() => createClient({ baseUrl: '/', token })).toThrow('baseUrl must be a URL');
  vi.stubGlobal('location', { origin: base });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect((await createClient({ baseUrl: '/', token }).GET('/api/v1/fields')).data).toEqual([]);
});

test('throws error 41201 if another client changes the contact before each of four attempts', async () => {
  const { parley, company, api } = await startWithClient();
  const id = await company.contact();
  let times = 0;
  const change = parley.changeContact(id, async (contact) => {
    times += 1;
    await api.updateContact(id, { ...emptyContact, first_name: `${times}` });
    return contact;
  });
  await expect(change).rejects.toMatchObject({ code: 41201 });
  expect(times).toBe(4);
});

test('does not retry an update that the service rejects as invalid', async () => {
  const { parley, company } = await startWithClient();
  const id = await company.contact();
  let times = 0;
  const change = parley.changeContact(id, (contact) => {
    times += 1;
    return { ...contact, email_address: 'nowhere' };
  });
  await expect(change).rejects.toMatchObject({ code: 42201, locations: ['/email_address'] });
  expect(times).toBe(1);
});

test('does not update without a strong ETag, and reports the reason', async () => {
  const { read, company, base, token } = await startWithClient();
  const id = await company.contact();
  const weak = createClient({
    baseUrl: base,
    token,
    fetch: async (request) => {
      const response = await fetch(request);
      const headers = new Headers(response.headers);
      headers.set('ETag', `W/${headers.get('ETag')}`);
      return new Response(response.body, { status: response.status, headers });
    },
  });
  await expect(weak.changeContact(id, (contact) => ({ ...contact, status: 'online' }))).rejects.toThrow(
    /strong ETag/,
  );
  expect((await read(id)).status).toBe('offline');
});
