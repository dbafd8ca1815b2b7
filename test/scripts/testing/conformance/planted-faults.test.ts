import { expect, onTestFinished, test } from 'vitest';
import type { ConformanceOptions } from '../../../../scripts/testing/conformance/run.ts';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { phases } from '../../../../scripts/testing/conformance/session.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { archiveContract } from './archive-contract.ts';
import { type ArchiveFault, archiveFaults } from './archive-faults.ts';
import { startArchive } from './archive-server.ts';

const contract = contractOf(archiveContract);

async function tried(fault: ArchiveFault | undefined, options: Partial<ConformanceOptions> = {}) {
  const base = await startArchive(fault);
  const { send, close } = createRequestSender(base, 5_000);
  onTestFinished(close);
  const report = await runConformance({
    ...{ contract, send, base, phases, seed, only: [], runs: isLong ? 50 : 3 },
    credentials: { headers: { Authorization: 'Bearer t', 'X-Tenant': 'a' }, query: {} },
    pause: async () => {},
    ...options,
  });
  const found = report.findings.map(({ operation, check, message }) => `${operation} ${check}: ${message}`);
  return { ...report, found };
}

test.each(Array.from({ length: isLong ? 20 : 2 }, (_, index) => seed + index))(
  'reports nothing about the conforming service, with the seed %i',
  async (own) => {
    const { found, gaps } = await tried(undefined, { seed: own });
    expect(found).toEqual([]);
    expect(gaps.neverAccepted).toEqual([]);
  },
);

test('reports nothing about it if each request has another tenant', async () => {
  const { found } = await tried(undefined, {
    credentials: { headers: { Authorization: 'Bearer t' }, query: {} },
  });
  expect(found).toEqual([]);
});

// Half of the faults; `npm run test:long` tests all of them, each with all operations.
const some = Object.entries(archiveFaults).filter((_, index) => isLong || index % 2 === 0);
const collections = ['/collections', '/collections/{id}'];

test.each(some)('finds that a service %s', async (fault, [operation, check]) => {
  const isCollection = /Collections?$/.test(operation);
  const { found } = await tried(fault as ArchiveFault, { only: isCollection && !isLong ? collections : [] });
  expect(found).toContainEqual(expect.stringContaining(`${operation} ${check}: `));
});
