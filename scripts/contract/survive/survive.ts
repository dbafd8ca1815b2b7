import type { MockScenario, ScenarioInfo } from '../mock/mock-types.ts';
import { assertUsable, type Baseline, summaryOf } from './baseline.ts';
import { findSuspects, type Task } from './find-suspects.ts';
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
  /** Number of runs at the same time (default 1). */
  jobs?: number;
  onProgress?: (text: string) => void;
  onError: (error: unknown) => void;
}

export interface SurviveReport {
  baseline: Baseline;
  /** The scenarios that applied to a response. */
  results: ScenarioResult[];
  /** The scenarios that applied to no response of the operations that the tests call. */
  notApplicable: string[];
}

/**
 * Runs a test command against a server that speaks a contract: once with the usual responses, once with all scenarios that
 * should have no effect, and once per other scenario. What fails is run again alone, until the cause is found.
 * @throws Error if the command cannot be started, fails without a scenario, or sends no valid request, and if no scenario
 * applies
 */
export async function survive(options: SurviveOptions): Promise<SurviveReport> {
  const servers = await Promise.all(
    Array.from({ length: options.jobs ?? 1 }, () => startScenarioServer(options.mock, options)),
  );
  const [server] = servers;
  if (!server) throw new Error('At least one run at a time is needed.');
  try {
    options.onProgress?.('without a scenario');
    const baseline = await observe(server, options, undefined, options.timeoutMs ?? 300_000);
    assertUsable(baseline, options.variables);
    const chosen = server.scenarios.filter(
      ({ name }) => options.only.length === 0 || options.only.includes(name),
    );
    const tasks: Task[] = [];
    const notApplicable: string[] = [];
    for (const scenario of chosen) {
      const applicable = await applicationOf(options.mock, scenario.name, baseline);
      if (applicable.size === 0) notApplicable.push(scenario.name);
      else tasks.push({ scenario, applicable });
    }
    if (tasks.length === 0)
      throw new Error(
        `No scenario applies to a response of the operations that the tests call, so nothing was tried: ${summaryOf(baseline).operations.join(', ')}.\n  Not applicable: ${notApplicable.join(', ')}. Call other operations, choose other scenarios, or add what the API promises to promises.yaml.`,
      );
    let done = 0;
    const run = async (on: ScenarioServer, scenario: ScenarioInfo, selection: MockScenario) =>
      judge(scenario, baseline, await observe(on, options, selection, limitOf(scenario, baseline, options)));
    // A run at the same time as others can fail because of them, so suspects are run again alone.
    const suspects = await findSuspects(servers, tasks, run, (count) => {
      done += count;
      options.onProgress?.(`${done} of ${tasks.length} scenarios`);
    });
    const results: ScenarioResult[] = [];
    for (const { scenario, applicable } of tasks)
      if (suspects.some((suspect) => suspect.scenario === scenario)) {
        done += 1;
        options.onProgress?.(`${done} of ${tasks.length} scenarios: ${scenario.name}`);
        const runAlone = (selection: MockScenario) => run(server, scenario, selection);
        results.push(...(await narrow(scenario, applicable, runAlone)));
      } else results.push({ scenario, selection: { name: scenario.name }, problems: [] });
    return { baseline: summaryOf(baseline), results, notApplicable };
  } finally {
    for (const each of servers) each.close();
  }
}

/** Returns the time after which the tests are stopped. In a body that does not end, each request waits for its time-out. */
function limitOf({ name }: ScenarioInfo, { command, requests }: Observations, { timeoutMs }: SurviveOptions) {
  const usualMs = Math.max(20_000, 3 * command.durationMs);
  return timeoutMs ?? (name === 'endless-body' ? usualMs + 5_000 * requests.length : usualMs);
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
