import { onTestFinished } from 'vitest';
import type { Side } from '../../scripts/agreement/compare.ts';
import { mockToken, mockTokenWith } from '../../scripts/mock/authenticate.ts';
import { createMock } from '../../scripts/mock/server.ts';
import { createStatefulMock } from '../../scripts/mock/stateful.ts';
import { ownContract } from '../../scripts/own-contract.ts';
import { createSend } from '../../scripts/requests/send.ts';
import { scopes as allScopes } from '../../server/contract/scopes.ts';
import { makeDemoCompany } from '../../server/demo/company.ts';
import { issueToken } from '../../server/tokens/issue.ts';
import { observeMock } from '../coverage/record.ts';
import { freshDatabase } from '../databases/fresh.ts';
import { listening } from '../http.ts';
import { openAt, startService } from '../service.ts';
import type { WhenOver } from '../temporary-folder.ts';

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
