import { afterAll } from 'vitest';
import type { ContractConfig } from '../../../../scripts/contract/config.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { startListening } from '../../../support/start-listening.ts';
import type { OnCleanup } from '../../../support/temporary-folder.ts';
import { type FetchCase, fetchCases } from './fetch-cases.ts';

/** Starts the mock server of a contract. @returns its URL, and the requests with which it is compared */
export async function startMockServer(
  config: ContractConfig,
  api = config.api,
  onCleanup: OnCleanup = afterAll,
): Promise<{ base: string; cases: FetchCase[] }> {
  const base = await startListening((await createMockServer({ config, api })).server, onCleanup);
  return { base, cases: fetchCases(await loadContract(api)) };
}
