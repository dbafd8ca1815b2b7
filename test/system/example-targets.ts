import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { contractConfig } from '../../parley-contract.config.ts';
import { mockToken } from '../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../scripts/contract/mock-server/server.ts';
import { once } from '../../scripts/lib/once.ts';
import { createRequestSender, type SendRequest } from '../../scripts/testing/requests/send.ts';
import { scopes } from '../../server/own-contract/scopes.ts';
import { createDemoCompany, demoCaller } from '../../server/runtime/demo/seed-company.ts';
import { issueToken } from '../../server/security/auth/issue-token.ts';
import { createSecrets } from '../../server/security/secrets/encryption.ts';
import { createTestDatabase } from '../support/databases.ts';
import { openAt, startService } from '../support/service.ts';
import { startListening } from '../support/start-listening.ts';

/**
 * What responds to the example requests of the contract. Each function returns how to send to one with the data of the
 * examples. The mock keeps no data, so all requests go to the same one.
 */
export const exampleTargets: Readonly<Record<string, () => () => Promise<SendRequest>>> = {
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

/** Starts the service with the demo company. */
export async function startDemoService(): Promise<SendRequest> {
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
