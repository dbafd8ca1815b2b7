import type { MockScenario, ScenarioInfo } from '../mock/mock-types.ts';
import type { MockModule } from './load-mock.ts';
import type { Observations, Problem } from './observations.ts';
import { toRequest } from './scenario-server.ts';
import { wireScenarios } from './wire-scenarios.ts';

/** The problems of a client in a scenario. */
export interface ScenarioResult {
  scenario: ScenarioInfo;
  /** Limits the scenario to what the client cannot handle, as far as that was found out. */
  selection: MockScenario;
  problems: Problem[];
}

/** The changed values of each operation to which a scenario applies, as JSON Pointers. */
export type Application = ReadonlyMap<string, readonly string[]>;

/** Maximum number of further runs per scenario. */
const maxRunsForCause = 24;

/** Finds out to which of the requests in a run a scenario applies, by sending them to the mock again. */
export async function applicationOf(
  { createMock }: MockModule,
  name: string,
  { requests }: Pick<Observations, 'requests'>,
): Promise<Application> {
  const valid = requests.filter(({ isValid }) => isValid);
  const found = new Map<string, readonly string[]>();
  if (wireScenarios.some((each) => each.name === name)) {
    for (const { operation } of valid) if (operation !== undefined) found.set(operation, []);
    return found;
  }
  const mock = createMock({ scenario: { name } });
  for (const { received } of valid) {
    const response = await mock.fetch(toRequest(received));
    await response.body?.cancel();
    const { operation, changed } = mock.requests.at(-1) ?? {};
    if (operation !== undefined && changed)
      found.set(operation, [...new Set([...(found.get(operation) ?? []), ...changed])]);
  }
  return found;
}

/**
 * Runs a scenario. If the client cannot handle it, finds out which operations and which values are the cause.
 * @param run runs a limited scenario, and returns what the client did wrong
 * @returns one result, or one for each operation that is a cause
 */
export async function narrow(
  scenario: ScenarioInfo,
  applicable: Application,
  run: (selection: MockScenario) => Promise<Problem[]>,
): Promise<ScenarioResult[]> {
  const { name } = scenario;
  const operations = [...applicable.keys()];
  const problems = await run({ name });
  const [worst] = problems;
  // Proxies and networks treat all operations in the same way.
  if (!worst || scenario.class === 'intermediary') return [{ scenario, selection: { name }, problems }];
  let runs = 0;
  /** Runs a limited scenario. @returns its problems, if one of them is of the same kind */
  const attempt = async (selection: MockScenario): Promise<Problem[] | undefined> => {
    if (runs >= maxRunsForCause) return undefined;
    runs += 1;
    const found = await run(selection);
    return found.some(({ kind }) => kind === worst.kind) ? found : undefined;
  };

  const results: ScenarioResult[] = [];
  for (const operation of operations) {
    const selection = { name, operations: [operation] };
    const found = operations.length === 1 ? problems : await attempt(selection);
    if (!found) continue;
    const locations = applicable.get(operation) ?? [];
    const causes =
      locations.length > 1
        ? await search(locations, (some) => attempt({ ...selection, locations: some }))
        : [];
    results.push({
      scenario,
      selection:
        causes.length === 0
          ? selection
          : { ...selection, locations: causes.flatMap((each) => each.locations) },
      problems: causes[0]?.problems ?? found,
    });
  }
  return results.length === 0 ? [{ scenario, selection: { name, operations }, problems }] : results;
}

interface Cause {
  locations: readonly string[];
  problems: Problem[];
}

/** Searches the values that are a cause, by halves. If no half fails, the values are a cause only together. */
async function search(
  locations: readonly string[],
  attempt: (locations: readonly string[]) => Promise<Problem[] | undefined>,
): Promise<Cause[]> {
  const half = Math.ceil(locations.length / 2);
  const causes: Cause[] = [];
  for (const part of [locations.slice(0, half), locations.slice(half)]) {
    if (part.length === 0) continue;
    const problems = await attempt(part);
    if (!problems) continue;
    const inner = part.length > 1 ? await search(part, attempt) : [];
    causes.push(...(inner.length > 0 ? inner : [{ locations: part, problems }]));
  }
  return causes;
}
