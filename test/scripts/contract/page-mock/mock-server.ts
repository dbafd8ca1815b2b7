import { afterAll } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { mockToken, mockTokenWith } from '../../../../scripts/contract/mock/authenticate.ts';
import { createMock } from '../../../../scripts/contract/mock/server.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { startListening } from '../../../support/http.ts';
import { type FetchCase, fetchCases } from './fetch-cases.ts';

/** Starts the mock server. @returns its URL, and the requests with which it is compared */
export async function startMockServer(): Promise<{ base: string; cases: FetchCase[] }> {
  const base = await startListening((await createMock({ config: contractConfig })).server, afterAll);
  const { send, close } = createRequestSender(base, 10_000);
  afterAll(close);
  const tokenWith = (scopes: readonly string[] | 'all') =>
    `Bearer ${scopes === 'all' ? mockToken : mockTokenWith(scopes)}`;
  return { base, cases: await fetchCases({ name: 'mock', base, send, tokenWith }) };
}
