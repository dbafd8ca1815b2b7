import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../parley-contract.config.ts';
import { mockToken } from '../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../scripts/contract/mock-server/server.ts';
import { once } from '../../scripts/lib/once.ts';
import { createRequestSender, type SendRequest } from '../../scripts/testing/requests/send.ts';
import { serializeRequest } from '../../scripts/testing/requests/serialize.ts';
import { scopes } from '../../server/own-contract/scopes.ts';
import { createDemoCompany, demoCaller } from '../../server/runtime/demo/seed-company.ts';
import { issueToken } from '../../server/security/auth/issue-token.ts';
import { createSecrets } from '../../server/security/secrets/encryption.ts';
import { createTestDatabase } from '../support/databases.ts';
import { exampleRequests } from '../support/example-requests.ts';
import { openAt, startService } from '../support/service.ts';
import { startListening } from '../support/start-listening.ts';

/**
 * What responds to the example requests of the contract. Each function returns how to send to one with the data of the
 * examples. The mock keeps no data, so all requests go to the same one.
 */
const exampleTargets: Readonly<Record<string, () => () => Promise<SendRequest>>> = {
  'the service': () => startDemoService,
  'the stateful mock': () => {
    const started = once(async () => {
      const { server, close } = await createMockServer({ config: contractConfig, stateful: {} });
      onTestFinished(close);
      return startListening(server);
    });
    return async () => {
      const base = await started();
      await fetch(`${base}/_mock/reset`, { method: 'POST' });
      return sendWith(base, mockToken);
    };
  },
  'the mock': () =>
    once(async () => {
      const { server } = await createMockServer({ config: contractConfig });
      return sendWith(await startListening(server), mockToken);
    }),
};

test.each(Object.entries(exampleTargets))(
  'every example request of the contract succeeds with %s, and lists are not empty',
  async (_name, prepare) => {
    const start = prepare();
    const forReads = once(start);
    const failures: string[] = [];
    for (const { name: what, request } of exampleRequests) {
      const wire = serializeRequest(request);
      // Others have a world of their own: a deleted webhook cannot be updated.
      const send = await (wire.method === 'GET' ? forReads() : start());
      const { status, text } = await send(wire);
      const isFilled = wire.method !== 'GET' || JSON.parse(text).length !== 0;
      if (status >= 300 || !isFilled) failures.push(`${what}: ${status} ${text}`);
    }
    // As a text, because the message of a test shortens lists.
    expect(failures.join('\n')).toBe('');
  },
);

test('the demo company is the company of the examples', async () => {
  const send = await startDemoService();
  const get = (path: string) =>
    send({ method: 'GET', target: `/api/v1${path}`, headers: {}, body: undefined });
  const { Contact4021, Conversation880, Message51003, CustomFields, ContactsFound } =
    document.components.examples;
  const contact = await get('/contacts/4021');
  expect(JSON.parse(contact.text)).toEqual(Contact4021.value);
  expect(contact.headers.etag).toBe(document.components.parameters.IfMatch.example);
  expect(JSON.parse((await get('/conversations/880')).text)).toEqual(Conversation880.value);
  expect(JSON.parse((await get('/messages/51003')).text)).toEqual(Message51003.value);
  expect(JSON.parse((await get('/fields')).text)).toEqual(CustomFields.value);
  expect(JSON.parse((await get('/contacts/search?query=lindqvist')).text)).toEqual(ContactsFound.value);
});

/** Starts the service with the demo company. */
async function startDemoService(): Promise<SendRequest> {
  const database = await createTestDatabase({ onCleanup: onTestFinished });
  const store = await openAt(database.url);
  onTestFinished(() => store.close());
  const { token } = await store.write(async (db) => {
    await createDemoCompany(db, createSecrets(randomBytes(32)), Date.now());
    return issueToken(db, { ...demoCaller, name: '', scopes, days: 90 }, Date.now());
  });
  const { base } = await startService({ database, now: Date.now, onCleanup: onTestFinished });
  return sendWith(base, token);
}

function sendWith(base: string, token: string): SendRequest {
  const { send, close } = createRequestSender(base, 10_000);
  onTestFinished(async () => close());
  return (wire) => send({ ...wire, headers: { ...wire.headers, Authorization: `Bearer ${token}` } });
}
