import type { MockScenario } from '../page-mock/mock-types.ts';
import { judge } from './judge.ts';
import type { MockModule } from './load-mock.ts';
import { applicationOf, narrow, type ScenarioResult } from './narrow.ts';
import type { Observations } from './observations.ts';
import type { CommandResult } from './run-command.ts';
import { type ScenarioServer, startScenarioServer } from './scenario-server.ts';

export interface SurviveOptions {
  mock: MockModule;
  /** Runs the tests. @param environment variables for them @throws Error if they cannot be started */
  run: (environment: Readonly<Record<string, string>>, timeoutMs: number) => Promise<CommandResult>;
  /** The base path of the contract's server. */
  basePath: string;
  /** A token that the mock accepts. */
  token: string;
  /** Other variables that get the base URL. */
  variables: readonly string[];
  /** Names of the scenarios to run (default: all). */
  only: readonly string[];
  /** Time after which the command is stopped (default: depends on its usual duration). */
  timeoutMs?: number | undefined;
  onProgress?: (text: string) => void;
  onError: (error: unknown) => void;
}

export interface SurviveReport {
  baseline: {
    durationMs: number;
    requests: number;
    /** The IDs of the operations that the tests call. */
    operations: string[];
    /** The requests that the contract does not allow, as method and URL. */
    rejected: string[];
  };
  /** The scenarios that applied to a response. */
  results: ScenarioResult[];
  /** The scenarios that applied to no response of the operations that the tests call. */
  notApplicable: string[];
}

/**
 * Runs a test command against a server that speaks a contract: once with the usual responses, and once per scenario.
 * @throws Error if the command cannot be started, fails without a scenario, or sends no valid request
 */
export async function survive(options: SurviveOptions): Promise<SurviveReport> {
  const server = await startScenarioServer(options.mock, options);
  try {
    options.onProgress?.('without a scenario');
    const baseline = await observe(server, options, undefined, options.timeoutMs ?? 300_000);
    assertUsable(baseline, options);
    const usualLimitMs = Math.max(20_000, 3 * baseline.command.durationMs);
    // Each request may last until the time-out of the client.
    const endlessLimitMs = usualLimitMs + 5_000 * baseline.requests.length;
    const chosen = server.scenarios.filter(
      ({ name }) => options.only.length === 0 || options.only.includes(name),
    );
    const results: ScenarioResult[] = [];
    const notApplicable: string[] = [];
    for (const [index, scenario] of chosen.entries()) {
      const applicable = await applicationOf(options.mock, scenario.name, baseline);
      if (applicable.size === 0) {
        notApplicable.push(scenario.name);
        continue;
      }
      options.onProgress?.(`${index + 1} of ${chosen.length}: ${scenario.name}`);
      const limitMs = scenario.name === 'endless-body' ? endlessLimitMs : usualLimitMs;
      const run = (selection: MockScenario) =>
        observe(server, options, selection, options.timeoutMs ?? limitMs);
      const judged = async (selection: MockScenario) => judge(scenario, baseline, await run(selection));
      results.push(...(await narrow(scenario, applicable, judged)));
    }
    return { baseline: summaryOf(baseline), results, notApplicable };
  } finally {
    server.close();
  }
}

async function observe(
  server: ScenarioServer,
  { run, basePath, token, variables }: SurviveOptions,
  selection: MockScenario | undefined,
  timeoutMs: number,
): Promise<Observations> {
  server.start(selection);
  const base = server.url + basePath;
  const result = await run(
    {
      ...Object.fromEntries(variables.map((name) => [name, base])),
      SURVIVE_URL: base,
      SURVIVE_TOKEN: token,
      SURVIVE_SCENARIO: selection?.name ?? '',
    },
    timeoutMs,
  );
  return { ...server.observed(), command: result };
}

function assertUsable({ command, requests }: Observations, { variables }: SurviveOptions): void {
  if (command.exitCode === undefined)
    throw new Error(
      `Without a scenario, the tests did not end within ${Math.round(command.durationMs / 1_000)} s. Set --timeout.`,
    );
  if (command.exitCode !== 0)
    throw new Error(
      `The tests fail without a scenario (exit code ${command.exitCode}), so the scenarios would say nothing. Correct this first:\n${command.output.trim().split('\n').slice(-20).join('\n')}`,
    );
  if (!requests.some(({ isValid }) => isValid)) {
    const read = ['SURVIVE_URL', ...variables].join(' or ');
    throw new Error(
      requests.length === 0
        ? `The tests sent no request to the server. They must read its URL from ${read}; --env sets another variable.`
        : `The contract allows no request that the tests sent. The first one got ${requests[0]?.status}: ${requests[0]?.sent}`,
    );
  }
}

const summaryOf = ({ command, requests }: Observations): SurviveReport['baseline'] => ({
  durationMs: command.durationMs,
  requests: requests.length,
  operations: [...new Set(requests.flatMap(({ operation }) => operation ?? []))],
  rejected: requests.filter(({ isValid }) => !isValid).map(({ method, url }) => `${method} ${url}`),
});
