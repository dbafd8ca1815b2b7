import { onTestFinished } from 'vitest';
import { mockToken, mockTokenWith } from '../../../../scripts/contract/mock/authenticate.ts';
import { createMock } from '../../../../scripts/contract/mock/server.ts';
import { createStatefulMock } from '../../../../scripts/contract/mock/stateful-server.ts';
import { ownContract } from '../../../../scripts/lib/own-contract.ts';
import type { Side } from '../../../../scripts/testing/parity/compare.ts';
import { createSend } from '../../../../scripts/testing/requests/send.ts';
import { issueToken } from '../../../../server/auth/issue-token.ts';
import { scopes as allScopes } from '../../../../server/contract/scopes.ts';
import { makeDemoCompany } from '../../../../server/demo/seed-company.ts';
import { freshDatabase } from '../../../support/databases.ts';
import { listening } from '../../../support/http.ts';
import { observeMock } from '../../../support/record-coverage.ts';
import { openAt, startService } from '../../../support/service.ts';
import type { WhenOver } from '../../../support/temporary-folder.ts';

function sideAt(name: string, base: string, tokenWith: Side['tokenWith'], whenOver: WhenOver): Side {
  const { send, close } = createSend(base, 10_000);
  whenOver(async () => close());
  return { name, base, send, tokenWith };
}

const mockTokens: Side['tokenWith'] = (scopes) =>
  `Bearer ${scopes === 'all' ? mockToken : mockTokenWith(scopes)}`;

export const mockAt = (base: string): Side => sideAt('mock', base, mockTokens, onTestFinished);

export const staticMock = async (): Promise<Side> =>
  mockAt(await listening((await createMock({ api: ownContract, observe: observeMock })).server));

export async function statefulMock(now: () => number): Promise<Side> {
  const { server, close } = await createStatefulMock({}, now);
  onTestFinished(close);
  return mockAt(await listening(server));
}

/** The service with the demo company in it; its clock may be handed in. */
export async function demoService(
  now: () => number = Date.now,
  whenOver: WhenOver = onTestFinished,
): Promise<Side> {
  const database = await freshDatabase({ whenOver });
  const store = await openAt(database.url);
  whenOver(() => store.close());
  await store.write((db) => makeDemoCompany(db, now()));
  const { base } = await startService({ database, now, whenOver });
  const tokens = new Map<string, string>();
  for (const scopes of [allScopes, ['fields:read'], ['contacts:read']]) {
    const holder = { companyId: 1, userId: 1, name: '', scopes, days: 90 };
    const { token } = await store.write((db) => issueToken(db, holder, now()));
    tokens.set(scopes.join(), `Bearer ${token}`);
  }
  const tokenWith: Side['tokenWith'] = (scopes) =>
    tokens.get(scopes === 'all' ? allScopes.join() : scopes.join()) ?? '';
  return sideAt('server', base, tokenWith, whenOver);
}
