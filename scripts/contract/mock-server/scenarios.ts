import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { isObject } from '../../../server/lib/json-object.ts';
import { ignoredPreferences } from '../mock/prefer.ts';

/** The preferences of the mock that a scenario can set. */
const mockPreferences = ['code', 'example', 'dynamic', 'seed', 'wait'];

/** A scenario's rule for one operation. */
export interface ScenarioRule {
  /** The `Prefer` header that requests get, such as `code=503` or `example=empty, wait=2`. */
  prefer: string;
  /** Number of requests that get it, from the start of the scenario; later ones are treated as usual (default: all). */
  times?: number;
}

/** Rules by operation ID, for each scenario by name. */
export type Scenarios = ReadonlyMap<string, ReadonlyMap<string, ScenarioRule>>;

/**
 * Reads scenarios from a YAML or JSON file: names, each with operation IDs, each with a rule.
 * @param operationIds the operation IDs of the contract
 * @throws Error naming the scenario and the operation that are wrong
 */
export async function readScenarios(file: string, operationIds: readonly string[]): Promise<Scenarios> {
  const content: unknown = parse(await readFile(file, 'utf8'));
  if (!isObject(content)) throw new Error(`${file} must have the names of scenarios as its keys.`);
  return new Map(
    Object.entries(content).map(([name, rules]) => {
      const wrong = (what: string) => new Error(`${file}: the scenario ${name} ${what}`);
      if (!isObject(rules)) throw wrong('must have operation IDs as its keys.');
      return [
        name,
        new Map(
          Object.entries(rules).map(([id, rule]) => {
            if (!operationIds.includes(id))
              throw wrong(
                `names ${id}, which the contract does not have. Operations: ${operationIds.join(', ')}.`,
              );
            return [id, ruleFrom(rule, (what) => wrong(`has a wrong rule for ${id}: ${what}`))];
          }),
        ),
      ];
    }),
  );
}

function ruleFrom(given: unknown, wrong: (what: string) => Error): ScenarioRule {
  const { prefer, times, ...unknown }: Record<string, unknown> = isObject(given) ? given : {};
  if (typeof prefer !== 'string') throw wrong('it needs prefer, such as code=503.');
  const [unknownName] = ignoredPreferences(prefer, mockPreferences);
  if (unknownName !== undefined)
    throw wrong(`the mock has no preference ${unknownName}. It has ${mockPreferences.join(', ')}.`);
  if (times !== undefined && !(Number.isInteger(times) && Number(times) > 0))
    throw wrong('times must be an integer above 0.');
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw wrong(`${name} is not known. It can have prefer and times.`);
  return { prefer, ...(times === undefined ? {} : { times: Number(times) }) };
}

/** The scenario that applies to all requests, and the number of requests that its rules have changed. */
export interface ScenarioState {
  /** Starts a scenario, or ends the current one if the name is undefined. @throws Error if there is no such scenario */
  start: (name: string | undefined) => void;
  /** Starts the first scenario again. */
  reset: () => void;
  /**
   * Returns the `Prefer` header for a request; undefined to leave it as it is.
   * @param own the scenario that the request itself names; its rules have no limit
   */
  preferFor: (operationId: string, own: string | undefined) => string | undefined;
}

/**
 * @param initial the scenario to start with
 * @throws Error if there is no such scenario
 */
export function createScenarioState(scenarios: Scenarios, initial?: string): ScenarioState {
  let current: string | undefined;
  let used = new Map<string, number>();
  const start = (name: string | undefined): void => {
    if (name !== undefined && !scenarios.has(name)) {
      const names = [...scenarios.keys()].join(', ') || 'none';
      throw new Error(`There is no scenario ${name}. Scenarios: ${names}.`);
    }
    current = name;
    used = new Map();
  };
  start(initial);
  return {
    start,
    reset: () => start(initial),
    preferFor(operationId, own) {
      if (own !== undefined) return scenarios.get(own)?.get(operationId)?.prefer;
      const rule = current === undefined ? undefined : scenarios.get(current)?.get(operationId);
      const count = used.get(operationId) ?? 0;
      if (!rule || count >= (rule.times ?? Number.POSITIVE_INFINITY)) return undefined;
      used.set(operationId, count + 1);
      return rule.prefer;
    },
  };
}
