import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  type ConformanceOptions,
  type ConformanceReport,
  runConformance,
} from '../../testing/conformance/run.ts';
import type { Phase } from '../../testing/conformance/session.ts';
import { createRequestSender } from '../../testing/requests/send.ts';
import type { ContractConfig } from '../config.ts';
import { createMockHandler } from '../mock-server/mock-handler.ts';
import type { Contract } from '../model/contract.ts';
import { credentialsOf } from './credentials-of.ts';

/** How the mock is tested. */
interface MockTest extends Pick<ConformanceOptions, 'runs' | 'maxSeconds' | 'onProgress'> {
  /** All but `stateful`, because the mock stores nothing. */
  phases: readonly Exclude<Phase, 'stateful'>[];
}

/**
 * Runs the conformance tests against the mock of a contract, with the examples and values of the contract alone. Mock and tests
 * read the contract independently, so a finding shows a part that one of them reads wrongly, or that contradicts itself.
 */
export async function testMock(
  contract: Contract,
  config: ContractConfig,
  options: MockTest,
): Promise<ConformanceReport> {
  // The empty path makes it another project's contract, so the tokens and rules of this project do not apply.
  const handle = createMockHandler(contract, { config, api: '' });
  const server = config.createServer((req, res) => void handle(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}${contract.basePaths[0]}`;
  const { send, close } = createRequestSender(base, 10_000);
  try {
    const report = await runConformance({
      ...{ contract, send, base, ...options },
      credentials: credentialsOf(contract),
      only: [],
      seed: 1,
    });
    // The bodies of the mock's errors are examples, so they name the locations of other mistakes.
    return { ...report, findings: report.findings.filter(({ check }) => check !== 'names-location') };
  } finally {
    close();
    server.closeAllConnections();
    server.close();
  }
}
