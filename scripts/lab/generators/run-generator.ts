import { mockToken } from '../../contract/mock/authenticate.ts';
import { assertKnownScenarios } from '../../contract/page-mock/scenarios/assert-known-scenarios.ts';
import type { MockModule } from '../../contract/survive/load-mock.ts';
import type { ScenarioResult } from '../../contract/survive/narrow.ts';
import { runCommand } from '../../contract/survive/run-command.ts';
import { survive } from '../../contract/survive/survive.ts';
import { wireScenarios } from '../../contract/survive/wire-scenarios.ts';
import type { ClientGenerator } from './catalog.ts';
import { prepareGenerator } from './prepare-generator.ts';

/** Time after which a client that still waits counts as one without a time-out, in milliseconds. */
export const maxWaitMs = 40_000;

/** The behaviour of a generated client in one scenario. */
export interface MatrixCell {
  scenario: string;
  /** The worst problem of the client; undefined if it survives. */
  problem: ScenarioResult['problems'][number] | undefined;
  /** Options with which the client survives, as named in the program. */
  remedies: string[];
}

/** A generated client in all scenarios. */
export interface MatrixColumn {
  generator: ClientGenerator;
  cells: MatrixCell[];
}

export interface RunOptions {
  mock: MockModule;
  /** Names of the scenarios (default: all). */
  only: readonly string[];
  onProgress: (text: string) => void;
}

/**
 * Generates a client, and runs it with its defaults in each scenario. Where it fails, its options are tried.
 * @throws Error if there is no such scenario, the generator fails, or the client fails without a scenario
 */
export async function runGenerator(
  generator: ClientGenerator,
  { mock, only, onProgress }: RunOptions,
): Promise<MatrixColumn> {
  assertKnownScenarios(only, [...mock.scenarios, ...wireScenarios]);
  onProgress(`${generator.name}: generating the client`);
  const { file, variants } = await prepareGenerator(generator);
  const resultsOf = async (variant: string, scenarios: readonly string[]): Promise<ScenarioResult[]> => {
    const { results } = await survive({
      ...{ mock, only: scenarios, basePath: '/v1', token: mockToken, variables: [], timeoutMs: maxWaitMs },
      maxRunsForCause: 0,
      run: (environment, timeoutMs) => runCommand([process.execPath, file, variant], environment, timeoutMs),
      onProgress: (text) => onProgress(`${generator.name}, ${variant}: ${text}`),
      onError(error) {
        throw error;
      },
    });
    return results;
  };
  const [usual = '', ...others] = variants;
  const cells: MatrixCell[] = [];
  for (const { scenario, problems } of await resultsOf(usual, only)) {
    const [problem] = problems;
    const remedies: string[] = [];
    for (const variant of problem ? others : []) {
      const results = await resultsOf(variant, [scenario.name]);
      if (results.every((result) => result.problems.length === 0)) remedies.push(variant);
    }
    cells.push({ scenario: scenario.name, problem, remedies });
  }
  return { generator, cells };
}
