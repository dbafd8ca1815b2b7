import { expect, test } from 'vitest';
import { createApiClient } from '../../support/api-client.ts';
import { startService } from '../../support/service.ts';

test('checks the token before path, method, percent-encoding and body', async () => {
  const { base } = await startService();
  const unauthenticated = createApiClient(base);
  for (const [path, sent] of [
    ['/nowhere', {}],
    ['/api/v1/contacts', { method: 'DELETE' }],
    ['/api/v1/contacts/%E0%A4%A', {}],
    ['/api/v1/contacts?page=x', {}],
    ['/api/v1/contacts', { method: 'POST', body: '{' }],
    ['/api/v1/contacts', { method: 'POST', body: 'x'.repeat(100_000) }],
  ] as const) {
    const reply = await unauthenticated.send(path, sent);
    expect(reply, path).toBeApiError(401, 40101, 'header/Authorization');
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  }
});

test('checks the scope before it reads the body', async () => {
  const { company } = await startService();
  const { api } = await company.token(['contacts:read']);
  expect(await api.createContact('{')).toBeApiError(403, 40301, '');
});

test('returns 405 without a body for HEAD', async () => {
  const { api } = await startService();
  const reply = await api.send('/api/v1/contacts', { method: 'HEAD' });
  expect([reply.status, reply.text, reply.headers.get('allow')?.includes('GET')]).toEqual([405, '', true]);
});

test('reports a missing body at the location "body", regardless of Content-Type', async () => {
  const { api } = await startService();
  for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'image/png' }])
    expect(await api.send('/api/v1/contacts', { method: 'POST', headers })).toBeApiError(422, 42201, 'body');
});

test.each([
  ['application/json', 201],
  ['APPLICATION/JSON; Charset="UTF-8"', 201],
  ['application/json; charset=utf8; x=y', 201],
  ['application/json; charset=US-ASCII', 201],
  ['application/json; charset=utf-16', 415],
  ['application/json, text/plain', 415],
  ['application/jsonp', 415],
  ['application/merge-patch+json', 415],
  ['text/plain', 415],
  ['json', 415],
  ['', 415],
])('a request body with Content-Type "%s" returns %i', async (type, status) => {
  const { api } = await startService();
  const reply = await api.createContact('{}', { 'content-type': type });
  expect(reply.status).toBe(status);
  if (status === 415) expect(reply).toBeApiError(415, 41501, 'header/Content-Type');
});

test('ignores Accept, and the Content-Type of a request without a body', async () => {
  const { api } = await startService();
  const reply = await api.listContacts('', { accept: 'text/html', 'content-type': 'image/png' });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
});

test('uses the last of duplicate properties', async () => {
  const { api } = await startService();
  const { body } = await api.createContact('{"first_name":"one","first_name":"two"}');
  expect((await api.getContact(body.id)).body.first_name).toBe('two');
});

test("returns the client's request ID if it is valid, otherwise a generated one", async () => {
  const { base, api, records } = await startService();
  for (const id of ['a', 'Az09_-', 'x'.repeat(64)])
    expect((await api.listContacts('', { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
  for (const id of ['', 'x'.repeat(65), 'a b', 'ä', 'a,b', '../x']) {
    const answered = (await api.listContacts('', { 'x-request-id': id })).headers.get('x-request-id') ?? '';
    expect(answered).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(answered).not.toBe(id);
  }
  const rejected = await createApiClient(base).send('/nowhere', { headers: { 'x-request-id': 'mine' } });
  expect(rejected.headers.get('x-request-id')).toBe('mine');
  expect(records.at(-1)).toMatchObject({ requestId: 'mine', status: 401 });
});

test('logs ID, operation, status, duration and company of a request, but none of its content', async () => {
  const { api, company, records } = await startService();
  await api.createContact({ first_name: 'SECRET' });
  expect(records).toEqual([
    {
      requestId: expect.any(String),
      operation: 'createContact',
      method: 'POST',
      status: 201,
      durationMs: expect.any(Number),
      caller: { companyId: company.id, userId: 17, tokenId: expect.any(Number), scopes: expect.any(Set) },
    },
  ]);
});

test('allowed origins get CORS headers, and other origins get none', async () => {
  const { api, base } = await startService({ allowedOrigins: ['https://app.example.com'] });
  const preflight = {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  };
  const ask = (origin: string, sent: { method: string; headers: Record<string, string> }) =>
    createApiClient(base).send('/api/v1/contacts', { ...sent, headers: { ...sent.headers, origin } });

  const allowed = await ask('https://app.example.com', preflight);
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
    204,
    'https://app.example.com',
  ]);
  expect(allowed.headers.get('access-control-allow-headers')).toBe('authorization');
  expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT');
  expect(allowed.headers.get('access-control-max-age')).toBe('600');
  // Cookies are not allowed, and caches must keep the responses of different origins apart.
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  expect(allowed.headers.get('vary')).toContain('Origin');
  expect(await ask('https://evil.example', preflight)).toBeApiError(401, 40101);
  expect(
    await api.send('/api/v1/contacts', { method: 'OPTIONS', headers: { origin: 'https://app.example.com' } }),
  ).toBeApiError(405, 40501);
  const read = await api.listContacts('', { origin: 'https://app.example.com' });
  expect(read.headers.get('access-control-expose-headers')).toBe('*');
  const rejected = await createApiClient(base).listContacts('', { origin: 'https://app.example.com' });
  expect(rejected).toBeApiError(401, 40101);
  expect(rejected.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  expect(
    (await api.listContacts('', { origin: 'https://evil.example' })).headers.get(
      'access-control-allow-origin',
    ),
  ).toBeNull();
});

test('every response forbids caching and content sniffing, including errors from the HTTP parser', async () => {
  const told: { status: number }[] = [];
  const { api, base, company } = await startService({
    http: { onRejected: (record) => told.push(record) },
  });
  const responses = [
    await api.getContact(await company.contact()),
    await api.createContact({ first_name: 'Ada' }),
    await api.createContact({ nonsense: 1 }),
    await api.getContact(999_999),
    await api.send('/api/v1/contacts', { method: 'DELETE' }),
    await createApiClient(base).listContacts(),
    await api.send('/api/v1/contacts', { headers: { 'x-long': 'x'.repeat(20_000) } }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 201, 422, 404, 405, 401, 431]);
  for (const { status, headers } of responses)
    expect([headers.get('cache-control'), headers.get('x-content-type-options')], `${status}`).toEqual([
      'no-store',
      'nosniff',
    ]);
  expect(told).toMatchObject([{ status: 431 }]);
});
