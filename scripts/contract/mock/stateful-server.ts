import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import express from 'express';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { createApp } from '../../../server/app.ts';
import { scopes } from '../../../server/contract/scopes.ts';
import { createDemoCompany } from '../../../server/demo/seed-company.ts';
import { publicHttpsOnly } from '../../../server/egress/policy.ts';
import { allowOrigins } from '../../../server/http/cors.ts';
import { createHttpServer } from '../../../server/http/server.ts';
import { createRateLimiter } from '../../../server/rate-limit/token-bucket.ts';
import { createSecrets } from '../../../server/secrets/encryption.ts';
import { openInMemory } from '../../../server/storage/sqlite/in-memory-store.ts';
import { mockAuthenticate } from './authenticate.ts';
import type { MockOptions } from './server.ts';

const noLimit = () => createRateLimiter({ name: 'none', perMinute: 0, burst: 1 }, Date.now);

/**
 * The service itself, on a database in memory that holds the demo company, and for the mock's tokens: what is made
 * is there until the mock ends. It does not listen yet.
 * @param now milliseconds since 1970
 */
export async function createStatefulMock(
  { onResponse = () => {}, onError = () => {} }: Omit<MockOptions, 'api'>,
  now: () => number = Date.now,
): Promise<{ server: Server; close: () => Promise<void> }> {
  const store = await openInMemory();
  await store.write((db) => createDemoCompany(db, now()));
  const authenticate = mockAuthenticate(new Set(scopes));
  const service = await createApp({
    store,
    now,
    document,
    // The demo company is the first, and so are its user and its token.
    authenticate: async (credentials) => {
      const admission = await authenticate(credentials);
      return { ...admission, caller: { companyId: 1, userId: 1, tokenId: 1, scopes: admission.scopes } };
    },
    limits: { tokens: noLimit(), failures: noLimit() },
    allowedOrigins: [],
    isReady: () => true,
    secrets: createSecrets(randomBytes(32)),
    addressPolicy: publicHttpsOnly,
    // Nothing is called from here, so no name has to resolve.
    resolve: async () => [],
    onResponse: (record) => onResponse({ ...record, caller: 'mock' }),
    onError: ({ error }) => onError(error),
  });
  const app = express();
  app.disable('x-powered-by');
  app.use(allowOrigins(() => true));
  app.use(service);
  return { server: createHttpServer(app), close: () => store.close() };
}
