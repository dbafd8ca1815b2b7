import { setTimeout as wait } from 'node:timers/promises';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { loadMock, type MockModule } from '../../../../scripts/contract/survive/load-mock.ts';
import type { CommandResult } from '../../../../scripts/contract/survive/run-command.ts';
import { type SurviveReport, survive } from '../../../../scripts/contract/survive/survive.ts';

/** Compiles a contract that is not the project's own. */
export const compiled = async (api: string): Promise<MockModule> =>
  loadMock(await loadContract(api), withDefaults({}), api);

export interface ProgramOptions {
  mock: MockModule;
  basePath: string;
  token: string;
  /** Names of scenarios (default: all). */
  only?: readonly string[];
  timeoutMs?: number;
  /** Number of scenarios at the same time (default 1). */
  jobs?: number;
}

/** Runs a program in this process in place of a test command. */
export function surviveProgram(
  program: (environment: NodeJS.ProcessEnv) => Promise<void>,
  { mock, basePath, token, only = [], timeoutMs, jobs = 1 }: ProgramOptions,
): Promise<SurviveReport> {
  const run = async (
    environment: Readonly<Record<string, string>>,
    limit: number,
  ): Promise<CommandResult> => {
    const startedAt = performance.now();
    const over = new AbortController();
    const [exitCode, output] = await Promise.race([
      program(environment).then(
        (): [number, string] => [0, ''],
        (error): [number, string] => [1, error instanceof Error ? (error.stack ?? '') : String(error)],
      ),
      wait(limit, undefined, { signal: over.signal }).then((): [undefined, string] => [undefined, '']),
    ]);
    over.abort();
    return { exitCode, output, durationMs: performance.now() - startedAt };
  };
  return survive({
    ...{ mock, basePath, token, only, timeoutMs, run, variables: [], jobs },
    onError: (error) => {
      throw error;
    },
  });
}

/** Returns each problem of a report as `scenario: kind`. */
export const problemsIn = ({ results }: SurviveReport): string[] => [
  ...new Set(
    results.flatMap(({ scenario, problems }) => problems.map(({ kind }) => `${scenario.name}: ${kind}`)),
  ),
];
