import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import document from '../../generated/openapi.json' with { type: 'json' };
import { createApp } from '../app.ts';
import { scopes } from '../contract/scopes.ts';
import { publicHttpsOnly } from '../egress/policy.ts';
import type { AuthResult, RequestCredentials } from '../pipeline/accept-request.ts';
import type { PipelineOptions } from '../pipeline/pipeline.ts';
import { createRateLimiter } from '../rate-limit/token-bucket.ts';
import { createSecrets } from '../secrets/encryption.ts';
import { openInMemory } from '../storage/sqlite/in-memory-store.ts';
import { addGeneratedContacts, createDemoCompany, demoCaller } from './seed-company.ts';

export interface DemoServiceOptions {
  authenticateWith: (
    scopes: ReadonlySet<string>,
  ) => (credentials: RequestCredentials) => Promise<AuthResult<'mock'>>;
  onResponse: NonNullable<PipelineOptions<'mock'>['onResponse']>;
  onError: (error: unknown) => void;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Number of generated contacts, in addition to the demo data. */
  contacts: number;
}

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
  contacts,
}: DemoServiceOptions): Promise<{ listener: RequestListener; close: () => Promise<void> }> {
  const store = await openInMemory();
  const secrets = createSecrets(randomBytes(32));
  await store.write(async (db) => {
    await createDemoCompany(db, secrets, now());
    await addGeneratedContacts(db, contacts, now());
  });
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
    // The demo service sends no webhooks, so it need not resolve their hosts.
    resolve: async () => [],
    onResponse: (record) => onResponse({ ...record, caller: 'mock' }),
    onError: ({ error }) => onError(error),
  });
  return { listener, close: () => store.close() };
}
