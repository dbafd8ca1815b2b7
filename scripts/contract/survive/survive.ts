import type { MockScenario, ScenarioInfo } from '../mock/mock-types.ts';
import { judge } from './judge.ts';
import type { MockModule } from './load-mock.ts';
import { type Application, applicationOf, narrow, type ScenarioResult } from './narrow.ts';
import type { Observations, Problem } from './observations.ts';
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

/** The behaviour of the tests without a scenario. */
interface Baseline {
  durationMs: number;
  requests: number;
  /** The IDs of the operations that the tests call. */
  operations: string[];
  /** The requests that the contract does not allow, as method and URL. */
  rejected: string[];
}

/**
 * @param variables names of the variables that contain the URL of the server, in addition to the usual one
 * @throws Error if tests without a scenario fail, or send no valid request: then scenarios would say nothing
 */
function assertUsable({ command, requests }: Observations, variables: readonly string[]): void {
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

const summaryOf = ({ command, requests }: Observations): Baseline => ({
  durationMs: command.durationMs,
  requests: requests.length,
  operations: [...new Set(requests.flatMap(({ operation }) => operation ?? []))],
  rejected: requests.filter(({ isValid }) => !isValid).map(({ method, url }) => `${method} ${url}`),
});

/** A scenario, and the values that it changes. */
interface Task {
  scenario: ScenarioInfo;
  applicable: Application;
}

/**
 * Finds the scenarios that a client may not survive. Those that should have no effect are tried in one run.
 * @param servers one for each run at the same time
 * @param run runs a scenario on a server, and returns what the client did wrong
 * @param onSurvived called with the number of scenarios that the client has survived in a run
 * @returns with one server, also the scenarios that were not tried: a run of each alone says more
 */
async function findSuspects(
  servers: readonly ScenarioServer[],
  tasks: readonly Task[],
  run: (server: ScenarioServer, scenario: ScenarioInfo, selection: MockScenario) => Promise<Problem[]>,
  onSurvived: (count: number) => void,
): Promise<Task[]> {
  const suspectsIn = async (groups: readonly Task[][]): Promise<Task[]> => {
    const found = await inParallel(servers, groups, async (server, group) => {
      const [first, ...others] = group.map(({ scenario }) => scenario);
      if (!first) return [];
      const problems = await run(server, first, { name: first.name, with: others.map(({ name }) => name) });
      if (problems.length > 0) return group;
      onSurvived(group.length);
      return [];
    });
    return found.flat();
  };
  const together = tasks.filter(({ scenario }) => scenario.effect === 'nothing' && !scenario.alone);
  const others = tasks.filter((task) => !together.includes(task));
  if (servers.length === 1) return [...(await suspectsIn([together])), ...others];
  // The last ones take the longest, because clients wait for their own time-out.
  return suspectsIn([together, ...others.toReversed().map((task) => [task])]);
}

/**
 * Handles items at the same time, one on each resource.
 * @returns the results in the order of the items
 */
async function inParallel<Resource, Item, Result>(
  resources: readonly Resource[],
  items: readonly Item[],
  handle: (resource: Resource, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  await Promise.all(
    resources.map(async (resource) => {
      for (const [index, item] of waiting) results[index] = await handle(resource, item);
    }),
  );
  return results;
}
