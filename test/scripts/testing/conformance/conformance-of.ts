import { onTestFinished } from 'vitest';
import {
  type ConformanceOptions,
  type ConformanceReport,
  runConformance,
} from '../../../../scripts/testing/conformance/run.ts';
import { phases } from '../../../../scripts/testing/conformance/session.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/documents.ts';
import type { ArchiveBehavior, ArchiveFault } from './archive-faults.ts';
import { archiveContract, archiveCredentials, startArchive } from './archive-server.ts';

/** Tests a function that responds to requests, in place of a service. */
export const conformanceOf = (
  document: object,
  send: ConformanceOptions['send'],
  {
    phases,
    runs,
    only = [],
  }: Pick<ConformanceOptions, 'phases' | 'runs'> & Partial<Pick<ConformanceOptions, 'only'>>,
): Promise<ConformanceReport> =>
  runConformance({
    ...{ contract: contractOf(document), send, phases, runs, only },
    ...{ base: 'http://127.0.0.1', credentials: { headers: {}, query: {} }, seed: 7 },
    pause: async () => {},
  });

/** Tests the archive's server. @returns also its findings as texts, the requests that it received, and the waits */
export async function conformanceOfArchive(
  faults: readonly (ArchiveFault | ArchiveBehavior)[],
  { timeoutMs = 5_000, ...options }: Partial<ConformanceOptions> & { timeoutMs?: number } = {},
) {
  const { url: base, received } = await startArchive(...faults);
  const { send, close } = createRequestSender(base, timeoutMs);
  onTestFinished(close);
  const pauses: number[] = [];
  const report = await runConformance({
    ...{ contract: contractOf(archiveContract), send, base, phases, only: [], runs: 6, seed: 7 },
    credentials: { headers: archiveCredentials, query: {} },
    pause: async (milliseconds) => void pauses.push(milliseconds),
    ...options,
  });
  const found = report.findings.map(({ operation, check, message }) => `${operation} ${check}: ${message}`);
  return { ...report, found, received, pauses };
}
