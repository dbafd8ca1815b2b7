import { listenLocally } from '../../lib/local-server.ts';
import type { Credentials } from '../../testing/conformance/credentials.ts';
import {
  type ConformanceOptions,
  type ConformanceReport,
  runConformance,
} from '../../testing/conformance/run.ts';
import type { Phase } from '../../testing/conformance/session.ts';
import { createRequestSender } from '../../testing/requests/send.ts';
import type { ContractConfig } from '../config.ts';
import { credentialHeaders, credentialParameters } from '../mock/credential-headers.ts';
import { createMockHandler } from '../mock-server/mock-handler.ts';
import type { Contract } from '../model/contract.ts';

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
  const mock = await listenLocally(config.createServer((req, res) => void handle(req, res)));
  const base = mock.url + contract.basePaths[0];
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
    mock.close();
  }
}

/** Returns a value for every kind of credentials that operations need. The mock accepts any value of the right scheme. */
function credentialsOf({ operations }: Contract): Credentials {
  const value = 'any-credentials';
  const used = operations.flatMap(({ securitySchemes }) => securitySchemes.flat());
  const schemes = ['bearer', ...used.flatMap(({ scheme }) => scheme || [])];
  const keys = used.filter(({ type, name }) => type === 'apiKey' && name?.toLowerCase() !== 'authorization');
  const sent = Map.groupBy(credentialHeaders(keys, value), ({ name }) => name);
  const headers = [...sent].map(([name, all]) => [name, new Set(all.map((each) => each.value))] as const);
  return {
    headers: {
      ...Object.fromEntries(headers.map(([name, values]) => [name, [...values].join('; ')])),
      Authorization: `Bearer ${value}`,
    },
    query: Object.fromEntries(credentialParameters(keys).map((name) => [name, value])),
    schemes: Object.fromEntries(schemes.map((name) => [name, `${name} ${value}`])),
  };
}
