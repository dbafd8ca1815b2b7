import { inParallel } from '../../lib/in-parallel.ts';
import type { MockScenario, ScenarioInfo } from '../mock/mock-types.ts';
import type { Application } from './narrow.ts';
import type { Problem } from './problem.ts';
import type { ScenarioServer } from './scenario-server.ts';

/** A scenario, and the values that it changes. */
export interface Task {
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
export async function findSuspects(
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
