import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { mockToken, mockTokenWith } from '../../../../scripts/contract/mock/authenticate.ts';
import { createMock } from '../../../../scripts/contract/mock/server.ts';
import { createStatefulMock } from '../../../../scripts/contract/mock/stateful-server.ts';
import type { ParityTarget } from '../../../../scripts/testing/parity/compare.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { issueToken } from '../../../../server/auth/issue-token.ts';
import { scopes as allScopes } from '../../../../server/contract/scopes.ts';
import { createDemoCompany, demoCaller } from '../../../../server/demo/seed-company.ts';
import { createSecrets } from '../../../../server/secrets/encryption.ts';
import { createTestDatabase } from '../../../support/databases.ts';
import { startListening } from '../../../support/http.ts';
import { observeMock } from '../../../support/record-coverage.ts';
import { openAt, startService } from '../../../support/service.ts';
import type { OnCleanup } from '../../../support/temporary-folder.ts';

function sideAt(
  name: string,
  base: string,
  tokenWith: ParityTarget['tokenWith'],
  onCleanup: OnCleanup,
): ParityTarget {
  const { send, close } = createRequestSender(base, 10_000);
  onCleanup(async () => close());
  return { name, base, send, tokenWith };
}

const mockTokens: ParityTarget['tokenWith'] = (scopes) =>
  `Bearer ${scopes === 'all' ? mockToken : mockTokenWith(scopes)}`;

export const mockAt = (base: string): ParityTarget => sideAt('mock', base, mockTokens, onTestFinished);

export const staticMock = async (): Promise<ParityTarget> =>
  mockAt(await startListening((await createMock({ config: contractConfig, observe: observeMock })).server));

export async function statefulMock(now: () => number): Promise<ParityTarget> {
  const { server, close } = await createStatefulMock(contractConfig, { now });
  onTestFinished(close);
  return mockAt(await startListening(server));
}

/** Starts the service with the demo company. `now` is its clock. */
export async function demoService(
  now: () => number = Date.now,
  onCleanup: OnCleanup = onTestFinished,
): Promise<ParityTarget> {
  const database = await createTestDatabase({ onCleanup });
  const store = await openAt(database.url);
  onCleanup(() => store.close());
  await store.write((db) => createDemoCompany(db, createSecrets(randomBytes(32)), now()));
  const { base } = await startService({ database, now, onCleanup });
  const tokens = new Map<string, string>();
  for (const scopes of [allScopes, ['fields:read'], ['contacts:read']]) {
    const holder = { ...demoCaller, name: '', scopes, days: 90 };
    const { token } = await store.write((db) => issueToken(db, holder, now()));
    tokens.set(scopes.join(), `Bearer ${token}`);
  }
  const tokenWith: ParityTarget['tokenWith'] = (scopes) =>
    tokens.get(scopes === 'all' ? allScopes.join() : scopes.join()) ?? '';
  return sideAt('server', base, tokenWith, onCleanup);
}
