import { expect, onTestFinished, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { mockToken } from '../../../../scripts/contract/mock/authenticate.ts';
import type { RequestControls } from '../../../../scripts/contract/mock/control-requests.ts';
import { createMock } from '../../../../scripts/contract/mock/server.ts';
import {
  createStatefulMock,
  type StatefulMockOptions,
} from '../../../../scripts/contract/mock/stateful-server.ts';
import { createApiClient, startListening } from '../../../support/http.ts';

async function startStateful(options: StatefulMockOptions = {}) {
  const { server, close } = await createStatefulMock(contractConfig, options);
  onTestFinished(close);
  const base = await startListening(server);
  return { base, api: createApiClient(base, mockToken) };
}

async function startExamples(controls: RequestControls = {}) {
  const base = await startListening((await createMock({ config: contractConfig, controls })).server);
  return { base, api: createApiClient(base, mockToken) };
}

test.each([
  ['the mock', startExamples],
  ['the stateful mock', startStateful],
])('%s returns a preferred error, and delays a response', async (_name, start) => {
  const { api } = await start();
  expect(await api.listContacts('', { prefer: 'code=503' })).toBeApiError(503, 50301);
  const startedAt = performance.now();
  expect((await api.listContacts('', { prefer: 'wait=0.2' })).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199);
});

test.each([
  ['the mock', startExamples],
  ['the stateful mock', startStateful],
])('%s names preferences without effect in a header', async (_name, start) => {
  const { api } = await start();
  const ignored = async (prefer: string) =>
    (await api.listContacts('', { prefer })).headers.get('mock-ignored-preferences');
  expect(await ignored('count=exact, wait=0')).toBeNull();
  expect(await ignored('cuont=exact, respond-async')).toBe('cuont, respond-async');
});

test('makes a share of the requests fail with a documented error, the same ones for the same seed', async () => {
  const statuses = async (seed: number) => {
    const { api } = await startExamples({ failureRate: 0.3, seed });
    const found: number[] = [];
    for (let sent = 0; sent < 40; sent += 1) found.push((await api.listContacts()).status);
    return found;
  };
  const first = await statuses(7);
  expect(new Set(first)).toEqual(new Set([200, 503]));
  expect(first.filter((status) => status === 503).length).toBeLessThan(25);
  expect(await statuses(7)).toEqual(first);
  expect(await statuses(8)).not.toEqual(first);
});

test('delays every response', async () => {
  const { api } = await startExamples({ delayMs: 150 });
  const startedAt = performance.now();
  await api.listContacts();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
});

test('the stateful mock has more contacts, a fixed clock, and its first state after a reset', async () => {
  const now = Date.parse('2026-03-09T12:00:00Z');
  const { base, api } = await startStateful({ contacts: 150, now: () => now });
  const total = async () =>
    Number((await api.listContacts('', { prefer: 'count=exact' })).headers.get('x-total-count'));
  const before = await total();
  expect(before).toBeGreaterThan(160);
  const { id } = (await api.createContact({ first_name: 'Ada' })).body;
  expect((await api.getContact(id)).body.created_at).toBe('2026-03-09T12:00:00.000Z');
  expect(await total()).toBe(before + 1);
  expect((await fetch(`${base}/_mock/reset`, { method: 'POST' })).status).toBe(204);
  expect(await total()).toBe(before);
  expect((await api.getContact(id)).status).toBe(404);
});
