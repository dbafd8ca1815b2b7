import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../../generated/operations.ts';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { mockToken } from '../../../../scripts/contract/mock/authenticate.ts';
import { createScenarioState } from '../../../../scripts/contract/mock/scenarios/scenario-state.ts';
import type { RequestControls } from '../../../../scripts/contract/mock-server/mock-handler.ts';
import { readScenarios } from '../../../../scripts/contract/mock-server/read-scenarios.ts';
import { createMockServer, type MockServerOptions } from '../../../../scripts/contract/mock-server/server.ts';
import { createApiClient } from '../../../support/api-client.ts';
import { writeDocument } from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

async function startMock(options: Omit<MockServerOptions, 'config'>) {
  const { server, close } = await createMockServer({ config: contractConfig, ...options });
  onTestFinished(close);
  const base = await startListening(server);
  return { base, api: createApiClient(base, mockToken) };
}

const startStateful = (stateful: MockServerOptions['stateful'] = {}, controls: RequestControls = {}) =>
  startMock({ stateful, controls });
const startExamples = (controls: RequestControls = {}) => startMock({ controls });

const mocks = [
  ['the mock', startExamples],
  ['the stateful mock', startStateful],
] as const;

/** Sends a control request. @param body text is sent unchanged */
const control = (base: string, name: string, body?: unknown) =>
  fetch(`${base}/_mock/${name}`, {
    method: 'POST',
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  });

test.each(mocks)('%s returns a preferred error, and delays a response', async (_name, start) => {
  const { api } = await start();
  expect(await api.listContacts('', { prefer: 'code=503' })).toBeApiError(503, 50301);
  const startedAt = performance.now();
  expect((await api.listContacts('', { prefer: 'wait=0.2' })).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199);
});

test.each(mocks)('%s names preferences without effect in a header', async (_name, start) => {
  const { api } = await start();
  const ignored = async (prefer: string) =>
    (await api.listContacts('', { prefer })).headers.get('mock-ignored-preferences');
  expect(await ignored('count=exact, wait=0')).toBeNull();
  expect(await ignored('cuont=exact, respond-async')).toBe('cuont, respond-async');
});

test('delays every response', async () => {
  const { api } = await startExamples({ delayMs: 150 });
  const startedAt = performance.now();
  await api.listContacts();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
});

test('the stateful mock has a fixed clock, and its first state after a reset', async () => {
  const now = Date.parse('2026-03-09T12:00:00Z');
  const { base, api } = await startStateful({ now: () => now });
  const total = async () =>
    Number((await api.listContacts('', { prefer: 'count=exact' })).headers.get('x-total-count'));
  const before = await total();
  const { id } = (await api.createContact({ first_name: 'Ada' })).body;
  expect((await api.getContact(id)).body.created_at).toBe('2026-03-09T12:00:00.000Z');
  expect(await total()).toBe(before + 1);
  expect((await control(base, 'reset')).status).toBe(204);
  expect(await total()).toBe(before);
  expect((await api.getContact(id)).status).toBe(404);
});

async function scenariosIn(content: object) {
  return readScenarios(await writeDocument(content), Object.keys(operations));
}

test.each([
  ['the mock', startExamples],
  ['the stateful mock', (controls: RequestControls) => startStateful({}, controls)],
])('%s applies scenarios, which a request or a test can choose', async (_name, start) => {
  const state = createScenarioState(
    await scenariosIn({
      outage: { listContacts: { prefer: 'code=503', times: 2 } },
      limited: { listContacts: { prefer: 'code=429' } },
    }),
  );
  const { api, base } = await start({ scenarios: state });
  const statuses = async (count: number, headers = {}) => {
    const found = [];
    for (let times = 0; times < count; times += 1) found.push((await api.listContacts('', headers)).status);
    return found;
  };
  const choose = (scenario: unknown) => control(base, 'scenario', { scenario });
  expect(await statuses(1)).toEqual([200]);
  expect((await choose('outage')).status).toBe(204);
  expect(await statuses(3)).toEqual([503, 503, 200]);
  expect(await statuses(2, { prefer: 'scenario=limited' })).toEqual([429, 429]);
  // The request's own preference wins.
  await choose('limited');
  expect(await statuses(1, { prefer: 'code=401' })).toEqual([401]);
  expect((await choose(null)).status).toBe(204);
  expect(await statuses(1)).toEqual([200]);
  const unknown = await choose('missing');
  expect([unknown.status, await unknown.json()]).toEqual([
    422,
    { message: 'There is no scenario missing. Scenarios: outage, limited.' },
  ]);
});

test('a reset of the stateful mock starts the first scenario again', async () => {
  const scenarios = await scenariosIn({ calm: {}, outage: { listContacts: { prefer: 'code=503' } } });
  const state = createScenarioState(scenarios, { name: 'outage' });
  const { api, base } = await startStateful({}, { scenarios: state });
  state.start({ name: 'calm' });
  expect((await api.listContacts()).status).toBe(200);
  expect((await control(base, 'reset')).status).toBe(204);
  expect((await api.listContacts()).status).toBe(503);
});

test.each([
  [
    { slow: { listPets: { prefer: 'wait=1' } } },
    /the scenario slow names listPets, which the contract does not have/,
  ],
  [{ slow: { listContacts: { prefer: 'wat=1' } } }, /a wrong rule for listContacts: .* no preference wat\./],
  [{ slow: { listContacts: { wait: 1 } } }, /has a wrong rule for listContacts: it needs prefer/],
  [{ slow: { listContacts: { prefer: 'wait=1', times: 0 } } }, /times must be an integer above 0/],
  [{ slow: { listContacts: { prefer: 'wait=1', code: 1 } } }, /code is not known/],
  [{ slow: 'wait=1' }, /the scenario slow must have operation IDs/],
])('a wrong scenario is refused: %o', async (content, message) => {
  await expect(scenariosIn(content)).rejects.toThrow(message);
});

test('the stateful mock imports a file, and names the lines that it cannot import', async () => {
  const file = join(await temporaryFolder(), 'data.ndjson');
  await writeFile(file, '{"kind": "contact", "key": "c1", "first_name": "Imani", "last_name": "Okoye"}\n');
  const { api } = await startStateful({ data: file });
  expect((await api.searchContacts('okoye')).body).toMatchObject([{ first_name: 'Imani' }]);
  await writeFile(file, '{"kind": "contact", "key": "c1"}\n{"kind": "pet", "key": "c2"}\n');
  await expect(startStateful({ data: file })).rejects.toThrow(/cannot be imported:\n {2}line 2: /);
});

interface Listed {
  is_closed: boolean;
  messages: { read: boolean }[];
}

test('the stateful mock reads and closes a conversation on request, also after a reset', async () => {
  const { api, base } = await startStateful();
  const change = async (body: unknown) => {
    const response = await control(base, 'conversations', body);
    return { status: response.status, body: await response.json() };
  };
  const unread = async () => {
    const { is_closed, messages }: Listed = (await api.getConversation(881)).body;
    return { is_closed, unread: messages.filter(({ read }) => !read).length };
  };
  for (const attempt of ['at first', 'after a reset']) {
    expect(await unread(), attempt).toEqual({ is_closed: false, unread: 1 });
    expect(await change({ conversation_id: 881, read: true })).toMatchObject({
      status: 200,
      body: { id: 881 },
    });
    expect(await unread()).toEqual({ is_closed: false, unread: 0 });
    expect((await change({ conversation_id: 881, closed: true })).body).toMatchObject({ is_closed: true });
    expect(await unread()).toEqual({ is_closed: true, unread: 0 });
    await control(base, 'reset');
  }
  const unreadable = await control(base, 'messages', '{');
  expect([unreadable.status, (await unreadable.json()).message]).toEqual([
    422,
    expect.stringMatching(/^Send JSON with Content-Type: application\/json\. .+/),
  ]);
  expect((await change({ conversation_id: 1_000_000, read: true })).status).toBe(404);
  const messages = [
    { conversation_id: 881 },
    { conversation_id: 881, read: false },
    { read: true },
    null,
  ].map(change);
  expect((await Promise.all(messages)).map(({ status, body }) => [status, body.message])).toEqual([
    [422, expect.stringContaining('must have at least 2 properties')],
    [422, '/read must be true.'],
    [422, expect.stringContaining('/conversation_id is required')],
    [422, expect.stringContaining('/conversation_id is required')],
  ]);
});

test.each([
  [
    'the mock',
    startExamples,
    /^There is no such control request\. This mock has: POST \/_mock\/scenario\. Others need --stateful\.$/,
  ],
  ['the stateful mock', startStateful, /POST \/_mock\/scenario, POST \/_mock\/reset, POST \/_mock\/messages/],
])('%s lists its control requests if there is no such one', async (_name, start, message) => {
  const { base } = await start();
  const response = await control(base, 'foo');
  expect([response.status, await response.json()]).toEqual([
    404,
    { message: expect.stringMatching(message) },
  ]);
});

test('the stateful mock simulates messages from contacts, and delivers signed events to a local address', async () => {
  const events: { headers: Record<string, string>; text: string }[] = [];
  const receiver = createServer(async (req, res) => {
    const text = (await req.toArray()).join('');
    events.push({ headers: req.headers as Record<string, string>, text });
    res.end();
  });
  const target = await startListening(receiver);
  const delivered: object[] = [];
  const { api, base } = await startStateful({
    webhooksTo: `${target}/hooks`,
    onDelivery: (delivery) => delivered.push(delivery),
  });
  const { headers: created } = await api.createWebhook({
    url: 'https://app.example.com/parley',
    ...{ entity_id: 5, action_id: 1, verb_id: 3 },
  });
  const receive = (body: object) => control(base, 'messages', body);
  const response = await receive({ conversation_id: 880, type: 'text', payload: 'Where is my order?' });
  expect([response.status, await response.json()]).toMatchObject([
    201,
    { user_id: null, conversation_id: 880 },
  ]);
  await expect.poll(() => events.length).toBe(1);
  const [{ headers, text } = { headers: {}, text: '' }] = events;
  expect(new Webhook(created.get('Webhook-Secret') ?? '').verify(text, headers)).toMatchObject({
    type: 'message.created',
    data: { payload: 'Where is my order?' },
  });
  await expect.poll(() => delivered).toEqual([{ type: 'message.created', result: '200' }]);
  expect((await receive({ conversation_id: 1_000_000, type: 'text', payload: 'x' })).status).toBe(404);
  expect((await receive({ conversation_id: 880, type: 'fax', payload: 'x' })).status).toBe(422);
  const unknown = await receive({ conversation_id: 880, type: 'text', payload: 'x', count: 3, user_id: 17 });
  expect([unknown.status, (await unknown.json()).fields]).toEqual([422, '/count, /user_id']);
});
