import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createMock, mockToken, mockTokenWith } from '../../../../generated/mock.js';
import { bundleEntry } from '../../../../scripts/contract/client/build.ts';

const authorized = { headers: { Authorization: `Bearer ${mockToken}` } };

test('an override gets the validated request and the example', async () => {
  const mock = createMock({
    overrides: {
      getContact: ({ path, caller }, example) => {
        expect([path.id, caller]).toEqual([4021, 'mock']);
        const response = example();
        return { ...response, body: { ...response.body, first_name: 'Grace' } };
      },
    },
  });
  const response = await mock.fetch('/api/v1/contacts/4021', authorized);
  expect(await response.json()).toMatchObject({ id: 4021, first_name: 'Grace', last_name: 'Lindqvist' });
  mock.verify();
});

test('verify names the place of an invalid response, even if the page ignored the 500', async () => {
  const mock = createMock();
  mock.override({
    getContact: (_input, example) => ({ ...example(), body: { id: 'seven' } }) as never,
    listCustomFields: () => {
      throw new Error('The store is empty.');
    },
  });
  mock.verify();
  expect((await mock.fetch('/api/v1/contacts/1', authorized)).status).toBe(500);
  expect((await mock.fetch('/api/v1/fields', authorized)).status).toBe(500);
  expect(() => mock.verify()).toThrow(
    /^The mock has sent 2 invalid responses:\n {2}getContact \(GET \/api\/v1\/contacts\/1\): .*\/id must be an integer.*\n {2}listCustomFields \(GET \/api\/v1\/fields\): The store is empty\.$/,
  );
  mock.reset();
  mock.verify();
  expect((await mock.fetch('/api/v1/contacts/1', authorized)).status).toBe(200);
});

test('an undocumented status and an undocumented header of an override are invalid', async () => {
  const mock = createMock({
    overrides: {
      getContact: () => ({ status: 418 }) as never,
      getMessage: (_input, example) => ({ ...example(), headers: { 'X-Other': 'yes' } }) as never,
      listCustomFields: (_input, example) => example(418 as never),
    },
  });
  await mock.fetch('/api/v1/fields', authorized);
  await mock.fetch('/api/v1/contacts/1', authorized);
  await mock.fetch('/api/v1/messages/1', authorized);
  expect(() => mock.verify()).toThrow(
    /listCustomFields does not document the status 418.*\n.*documents no status 418\n.*header\/X-Other is not documented/,
  );
});

test('requests lists what the page has sent, with the input that was accepted', async () => {
  const mock = createMock();
  await mock.fetch('/api/v1/contacts?per_page=5', authorized);
  await mock.fetch('/api/v1/contacts?per_page=0', authorized);
  await mock.fetch('/nowhere', { method: 'POST', ...authorized });
  expect(mock.requests).toMatchObject([
    { operation: 'listContacts', method: 'GET', status: 200, input: { query: { page: 0, per_page: 5 } } },
    { operation: 'listContacts', status: 422, input: undefined },
    { operation: undefined, method: 'POST', url: '/nowhere', status: 404 },
  ]);
});

test('tokens name their scopes', async () => {
  const mock = createMock();
  const statusWith = async (token: string) =>
    (await mock.fetch('/api/v1/fields', { headers: { Authorization: `Bearer ${token}` } })).status;
  expect(await statusWith(mockTokenWith(['fields:read']))).toBe(200);
  expect(await statusWith(mockTokenWith(['contacts:read']))).toBe(403);
  expect(await statusWith('other')).toBe(401);
});

test('requests without credentials get the token of the option', async () => {
  const mock = createMock({ token: mockTokenWith(['fields:read']) });
  expect((await mock.fetch('/api/v1/fields')).status).toBe(200);
  expect((await mock.fetch('/api/v1/contacts')).status).toBe(403);
  expect((await mock.fetch('/api/v1/contacts', authorized)).status).toBe(200);
});

test('Prefer can delay a response, and preferences without effect are reported', async () => {
  const mock = createMock({ token: mockToken });
  const startedAt = performance.now();
  const headers = { prefer: 'wait=0.05, count=exact, cod=503, dynamic=true' };
  const response = await mock.fetch('/api/v1/contacts', { headers });
  expect(performance.now() - startedAt).toBeGreaterThan(45);
  expect(response.headers.get('Mock-Ignored-Preferences')).toBe('cod, dynamic');
  expect((await mock.fetch('/api/v1/contacts')).headers.has('Mock-Ignored-Preferences')).toBe(false);
});

test('a request can be delayed and aborted, and be a Request or a URL', async () => {
  const mock = createMock({ delayMs: 50 });
  const startedAt = performance.now();
  const request = new Request('https://api.example.com/api/v1/fields', authorized);
  expect((await mock.fetch(request)).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(40);
  expect((await mock.fetch(new URL(request.url), authorized)).status).toBe(200);
  const signal = AbortSignal.timeout(10);
  await expect(mock.fetch('/api/v1/fields', { ...authorized, signal })).rejects.toThrow('aborted');
});

test('an override of another operation, or with another body, does not compile', () => {
  // @ts-expect-error no such operation
  createMock({ overrides: { getNothing: () => ({ status: 200 }) } });
  // @ts-expect-error the status is not documented
  createMock({ overrides: { getContact: () => ({ status: 418 }) } });
  // @ts-expect-error the status of the example is not documented
  createMock({ overrides: { getContact: (_input, example) => example(418) } });
  // @ts-expect-error the body lacks properties
  createMock({ overrides: { getContact: () => ({ status: 200, body: { id: 1 } }) } });
});

test('an override can return the example of another documented status', async () => {
  const mock = createMock({ overrides: { updateContact: (_input, example) => example(412) } });
  const response = await mock.fetch('/api/v1/contacts/4021', {
    method: 'PUT',
    headers: { ...authorized.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(await (await mock.fetch('/api/v1/contacts/4021', authorized)).json()),
  });
  expect([response.status, await response.json()]).toMatchObject([412, { code: 41201 }]);
  mock.verify();
});

test('the mock uses nothing that Node 20 lacks', async () => {
  const code = await readFile('generated/mock.js', 'utf8');
  expect(code).not.toMatch(
    /\.groupBy\(|URL\.parse\(|Promise\.(try|withResolvers)|Array\.fromAsync|Iterator\./,
  );
});

test('the bundle of the mock has at most 50 KB after compression, and evaluates no strings', async () => {
  // Minified again, as by the bundler of an application.
  const bundle = await bundleEntry('generated/mock.js');
  expect(bundle.bytes).toBeLessThan(50_000);
  expect(bundle.code).not.toMatch(/\beval\(|new Function\(/);
});
