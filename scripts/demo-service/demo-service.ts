import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import document from '../../generated/openapi.json' with { type: 'json' };
import { createApp } from '../../server/app.ts';
import { runImport } from '../../server/features/import/run-import.ts';
import { scopes } from '../../server/own-contract/scopes.ts';
import { createDemoCompany, demoCaller } from '../../server/runtime/demo/seed-company.ts';
import { createRateLimiter } from '../../server/security/auth/rate-limiter.ts';
import { publicHttpsOnly } from '../../server/security/egress/policy.ts';
import { createSecrets } from '../../server/security/secrets/encryption.ts';
import type { Store } from '../../server/storage/store.ts';
import type { StatefulService, StatefulServiceOptions } from '../contract/config.ts';
import { createControlRequests } from './control-requests.ts';
import { openInMemory } from './in-memory-store.ts';
import { startLocalDeliveries } from './local-deliveries.ts';

const noLimit = () => createRateLimiter({ name: 'none', perMinute: 0, burst: 1 }, Date.now);

/**
 * Starts the service on an in-memory database with the demo company. It accepts the tokens of the mock server. It opens
 * no port: the caller passes requests to the returned listener.
 */
export async function startDemoService({
  authenticateWith,
  onResponse,
  onError,
  now,
  data,
  webhooksTo,
  onDelivery,
}: StatefulServiceOptions): Promise<StatefulService> {
  const store = await openInMemory();
  const secrets = createSecrets(randomBytes(32));
  await store.write((db) => createDemoCompany(db, secrets, now()));
  if (data !== undefined) await importData(store, data, now);
  const authenticate = authenticateWith(new Set(scopes));
  const listener = await createApp({
    store,
    now,
    document,
    authenticate: async (credentials) => {
      const result = await authenticate(credentials);
      return { ...result, caller: { ...demoCaller, scopes: result.scopes } };
    },
    limits: { tokens: noLimit(), failures: noLimit() },
    allowedOrigins: [],
    isReady: () => true,
    secrets,
    addressPolicy: publicHttpsOnly,
    // Webhooks are sent to one local address or not at all, so their hosts are not resolved.
    resolve: async () => [],
    onResponse: (record) => onResponse({ ...record, caller: 'mock' }),
    onError: ({ error }) => onError(error),
  });
  const worker =
    webhooksTo === undefined
      ? undefined
      : startLocalDeliveries(store, secrets, webhooksTo, { now, onError, onDelivery });
  return {
    listener,
    controls: createControlRequests(store, now),
    async close() {
      await worker?.stop();
      await store.close();
    },
  };
}

/** @throws Error naming the lines that cannot be imported */
async function importData(store: Store, file: string, now: () => number): Promise<void> {
  const bad: string[] = [];
  await runImport({
    store,
    companyId: demoCaller.companyId,
    chunks: createReadStream(file),
    now,
    onBad: ({ number, message }) => bad.push(`line ${number}: ${message}`),
    onProgress: () => {},
  });
  if (bad.length > 0) throw new Error([`${file} cannot be imported:`, ...bad.slice(0, 10)].join('\n  '));
}
