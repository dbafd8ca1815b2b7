import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../../../generated/mock.js';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../../../generated/operations.ts';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { mockToken } from '../../../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { fixturesWith, sendValid } from '../../../server/own-contract/valid-requests.ts';
import { type ApiReply, type ApiRequest, createApiClient } from '../../../support/api-client.ts';
import { startCommand } from '../../../support/run-command.ts';
import { startService } from '../../../support/service.ts';
import { startListening } from '../../../support/start-listening.ts';
import { afterAllTests, type OnCleanup } from '../../../support/temporary-folder.ts';

async function startMock(api = contractConfig.api, onCleanup: OnCleanup = onTestFinished) {
  const faults: unknown[] = [];
  const base = await startListening(
    (
      await createMockServer({
        config: contractConfig,
        api,
        onError: (error) => faults.push(error),
      })
    ).server,
    onCleanup,
  );
  return { base, api: createApiClient(base, mockToken), faults };
}

// The mock of the contract stores nothing, and no test changes the service, so all tests share them.
let mock: Awaited<ReturnType<typeof startMock>>;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  mock = await startMock(contractConfig.api, afterAllTests);
  service = await startService({ onCleanup: afterAllTests });
});

const { examples } = document.components;

test('pages of an example list can be followed to the end by their Link headers', async () => {
  const { api } = mock;
  const ids: number[][] = [];
  let target: string | undefined = '/api/v1/contacts?per_page=1';
  while (target !== undefined && ids.length < 5) {
    const { body, headers } = await api.send(target);
    ids.push(body.map(({ id }: { id: number }) => id));
    target = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(ids).toEqual(examples.ContactPage.value.map(({ id }) => [id]));
  expect((await api.listContacts('?page=7')).body).toEqual([]);
  expect((await api.listContacts('', { prefer: 'count=exact' })).headers.get('x-total-count')).toBe(
    String(examples.ContactPage.value.length),
  );
});

test('the Prefer header chooses another documented status code or example', async () => {
  const { api } = mock;
  const prefer = (wanted: string) => api.send('/api/v1/contacts/1', { headers: { prefer: wanted } });
  expect(await prefer('code=404')).toBeApiError(404, 40401);
  expect(await prefer('code=401, example=revoked')).toBeApiError(401, 40104);
  expect((await api.listContacts('', { prefer: 'example=pastTheEnd' })).body).toEqual([]);
  const total = (reply: ApiReply) => reply.headers.get('x-total-count');
  expect([
    total(await api.listContacts('', { prefer: 'count=exact' })),
    total(await api.listContacts()),
  ]).toEqual(['2', null]);
  for (const wanted of ['code=418', 'code=abc', 'example=nothing'])
    expect(await prefer(wanted)).toBeApiError(422, 42201, 'header/Prefer');
  expect((await prefer('code=418')).body.message).toContain('200, 400, 401');
});

test('the Prefer header can request every example by name, with its status', async () => {
  const { api, faults } = mock;
  const of = fixturesWith((index) => index + 1);
  const context = createSchemaContext(document);
  for (const { id, responses } of operationsOf(context))
    for (const [status, { content }] of Object.entries(responses))
      for (const { name, value } of content.flatMap((type) => type.examples)) {
        const prefer = `code=${status}, example=${name}`;
        const reply = await sendValid(api, id as OperationId, of, { headers: { prefer } });
        expect({ prefer, status: String(reply.status), body: reply.body }).toEqual({
          prefer,
          status,
          body: value,
        });
      }
  expect(faults).toEqual([]);
});

const posted = (body: unknown, headers: Record<string, string> = {}): [string, ApiRequest] => [
  '/contacts',
  { method: 'POST', body, headers },
];

const refused: Record<string, [path: string, sent?: ApiRequest]> = {
  'no token': ['/contacts', { headers: { authorization: '' } }],
  'an unknown token': ['/contacts', { headers: { authorization: 'Bearer nobody' } }],
  'no such path': ['/contacts/1/more'],
  'another method': ['/contacts', { method: 'DELETE' }],
  'an undocumented method': ['/contacts', { method: 'PROPFIND' }],
  HEAD: ['/contacts/4021', { method: 'HEAD' }],
  'malformed percent-encoding in the path': ['/contacts/%E0%A4%A'],
  'malformed percent-encoding in the query': ['/contacts?page=%ZZ'],
  'an id in hexadecimal': ['/contacts/0x11'],
  'several wrong parameters': ['/contacts?page=x&per_page=0&foo=1'],
  'a repeated parameter': ['/contacts?page=1&page=2'],
  'a range that ends before it begins': [
    '/contacts?date_from=2026-02-01T00:00:00Z&date_to=2026-01-01T00:00:00Z',
  ],
  'malformed JSON': posted('{'),
  'no body': posted(undefined),
  'another media type': posted('{}', { 'content-type': 'text/plain' }),
  'a compressed body': posted('{}', { 'content-encoding': 'gzip' }),
  'a body in Latin-1': posted('{}', { 'content-type': 'application/json; charset=latin1' }),
  'too large a body': posted(' '.repeat(1_048_577)),
  'several wrong properties': posted({ first_name: 7, email_address: 'x', foo: 1 }),
  'a lone surrogate': posted('{"first_name":"\\ud800"}'),
  'a wrong Idempotency-Key': posted('{}', { 'idempotency-key': 'x'.repeat(256) }),
};

const accepted: typeof refused = {
  'a list with links and a total': ['/contacts?per_page=5&page=1', { headers: { prefer: 'count=exact' } }],
  OPTIONS: ['/contacts', { method: 'OPTIONS' }],
  'a precondition': ['/contacts/4021', { method: 'PUT', body: {}, headers: { 'if-match': '"a"' } }],
  'a preferred error': ['/contacts', { headers: { prefer: 'code=503' } }],
  'a body': posted({ first_name: 'Ada' }, { 'idempotency-key': 'k-1' }),
};

const inPage = createApiClient('http://mock', mockToken, createMock().fetch);
const headerNames = [
  'content-type',
  'link',
  'x-total-count',
  'etag',
  'allow',
  'www-authenticate',
  'retry-after',
];

// All run the same functions, so only what they make of a message can differ.
test.each(Object.entries({ ...refused, ...accepted }))(
  'the mock responds like the one inside a page, and refuses like the service: %s',
  async (what, [path, sent]) => {
    const isRefused = Object.hasOwn(refused, what);
    const outcomes = [mock.api, inPage, ...(isRefused ? [service.api] : [])].map(async ({ send }) => {
      const { status, text, headers } = await send(`/api/v1${path}`, sent);
      return { status, text, headers: headerNames.map((name) => headers.get(name)) };
    });
    const [one, ...others] = await Promise.all(outcomes);
    for (const other of others) expect(other).toEqual(one);
    if (isRefused) expect(one?.status).toBeGreaterThanOrEqual(400);
  },
);

test('the mock applies the base path, schemas and credentials of other contracts', async () => {
  const books = await startMock('test/scripts/contract/generate/contracts/bookshop.yaml');
  const reply = await books.api.send('/shop/books/9780141439587/copies');
  expect([reply.status, reply.body]).toEqual([200, [{ title: 'Emma', pages: 320, shelf: 'A1' }]]);
  expect((await books.api.send('/shop/ping')).status).toBe(204);
  expect((await books.api.send('/shop/books/9780141439587/copies?shelf=%00')).status).toBe(400);
  expect((await books.api.send('/shop/books/x/copies')).status).toBe(400);

  const weather = await startMock('test/scripts/contract/generate/contracts/weather.yaml');
  const read = (headers: Record<string, string>) =>
    createApiClient(weather.base).send('/stations/7/readings', { headers });
  expect((await read({ 'x-trace': 'a' })).status).toBe(401);
  expect((await read({ 'x-trace': 'a', 'x-key': 'k' })).body).toEqual([{ kind: 'wind', speed: 3.5 }]);
  expect((await read({ 'x-trace': 'too-long-a-trace', 'x-key': 'k' })).status).toBe(400);
  const forecast = (query: string) => createApiClient(weather.base).send(`/forecast?${query}`);
  expect((await forecast('days=1')).status).toBe(401);
  expect((await forecast('days=1&key=k')).status).toBe(200);
  // This operation documents no error responses, so the mock returns problem details (RFC 9457).
  const unknown = await forecast('days=1&key=k&kee=k');
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  expect(unknown.body.detail).toBe('query/kee is not allowed.');
});

test("the mock recognizes the project's contract by another spelling of its path, and as a bundle", async () => {
  for (const path of ['./openapi/openapi.yaml', 'generated/openapi.json']) {
    const { base } = await startMock(path);
    expect(await createApiClient(base, 'nobody').listContacts()).toBeApiError(401, 40102);
  }
});

test('the mock returns the example with the requested ID, and otherwise another one with that ID', async () => {
  const { api, faults } = mock;
  expect((await api.getContact(4021)).body).toEqual(examples.Contact4021.value);
  expect((await api.getContact(4022)).body).toEqual(examples.Contact4022.value);
  expect((await api.getConversation(881)).body).toEqual(examples.Conversation881.value);
  expect((await api.getContact(4077)).body).toEqual({ ...examples.Contact4021.value, id: 4077 });
  expect(faults).toEqual([]);
});

test('the command prints a working token and a curl command', async () => {
  const started = startCommand(['mock', '--port', '0']);
  onTestFinished(started.stop);
  await started.ended;
  const [, token, url] = /curl .*Bearer (\S+)' '(http:\S+)'/.exec(started.out) ?? [];
  expect((await createApiClient('', token).send(url ?? '')).status).toBe(200);
});
