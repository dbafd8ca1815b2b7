import { readFile } from 'node:fs/promises';
import { isObject } from '../../../server/lib/json-object.ts';
import { parseYaml } from '../load/parse-yaml.ts';
import { generatorPreferences, ignoredPreferences, mockPreferences } from '../mock/prefer.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';

/** The preferences that a scenario can set. */
const settable = [...mockPreferences, ...generatorPreferences].filter((name) => name !== 'scenario');

/** A scenario's rule for one operation. */
interface ScenarioRule {
  /** The `Prefer` header that requests get, such as `code=503` or `example=empty, wait=2`. */
  prefer: string;
  /** Number of requests that get it, from the start of the scenario; later ones are treated as usual (default: all). */
  times?: number;
}

/**
 * Reads scenarios from a YAML or JSON file: names, each with operation IDs, each with a rule.
 * @param operationIds the operation IDs of the contract
 * @throws Error naming the scenario and the operation that are wrong
 */
export async function readScenarios(file: string, operationIds: readonly string[]): Promise<Scenario[]> {
  const content = parseYaml(file, await readFile(file, 'utf8'));
  if (!isObject(content)) throw new Error(`${file} must have the names of scenarios as its keys.`);
  return Object.entries(content).map(([name, given]) => {
    const wrong = (what: string) => new Error(`${file}: the scenario ${name} ${what}`);
    if (!isObject(given)) throw wrong('must have operation IDs as its keys.');
    const rules = new Map(
      Object.entries(given).map(([id, rule]) => {
        if (!operationIds.includes(id))
          throw wrong(
            `names ${id}, which the contract does not have. Operations: ${operationIds.join(', ')}.`,
          );
        return [id, ruleFrom(rule, (what) => wrong(`has a wrong rule for ${id}: ${what}`))];
      }),
    );
    return scenarioOf(name, rules);
  });
}

const scenarioOf = (name: string, rules: ReadonlyMap<string, ScenarioRule>): Scenario => ({
  ...{ name, class: 'documented', title: name, effect: 'values', legal: 'contract' },
  preferFor({ id }, earlierRequests) {
    const { prefer, times = Number.POSITIVE_INFINITY } = rules.get(id) ?? {};
    return earlierRequests < times ? prefer : undefined;
  },
  change: () => undefined,
});

function ruleFrom(given: unknown, wrong: (what: string) => Error): ScenarioRule {
  const { prefer, times, ...unknown }: Record<string, unknown> = isObject(given) ? given : {};
  if (typeof prefer !== 'string') throw wrong('it needs prefer, such as code=503.');
  const [unknownName] = ignoredPreferences(prefer, settable);
  if (unknownName !== undefined)
    throw wrong(`the mock has no preference ${unknownName}. It has ${settable.join(', ')}.`);
  if (times !== undefined && !(Number.isInteger(times) && Number(times) > 0))
    throw wrong('times must be an integer above 0.');
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw wrong(`${name} is not known. It can have prefer and times.`);
  return { prefer, ...(times === undefined ? {} : { times: Number(times) }) };
}
