import type { CompiledContract } from '../compiled-contract.ts';
import type { ScenarioInfo } from '../mock-types.ts';
import { bodyScenarios } from './body-scenarios.ts';
import { httpScenarios } from './http-scenarios.ts';
import { intermediaryScenarios } from './intermediary-scenarios.ts';
import { listScenarios } from './list-scenarios.ts';
import type { Scenario } from './scenario.ts';
import { deprecation, retryScenarios, statusScenarios } from './status-scenarios.ts';

const classes: readonly ScenarioInfo['class'][] = ['documented', 'evolution', 'http', 'intermediary'];

/** Returns the scenarios of a contract, by class. Not every one applies to each operation. */
export function scenariosOf(contract: CompiledContract): Scenario[] {
  const all = [
    ...statusScenarios(contract),
    ...retryScenarios,
    ...listScenarios,
    deprecation,
    ...bodyScenarios,
    ...httpScenarios,
    ...intermediaryScenarios,
  ];
  return classes.flatMap((each) => all.filter((scenario) => scenario.class === each));
}

/** Returns what the scenarios of a contract do. */
export const describeScenarios = (contract: CompiledContract): ScenarioInfo[] =>
  scenariosOf(contract).map(({ name, class: kind, title, effect, legal }) => ({
    name,
    class: kind,
    title,
    effect,
    legal,
  }));
