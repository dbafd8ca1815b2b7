import type { MockContract } from '../mock-contract.ts';
import type { ScenarioInfo } from '../mock-types.ts';
import { bodyScenarios } from './body-scenarios.ts';
import { httpScenarios } from './http-scenarios.ts';
import { intermediaryScenarios } from './intermediary-scenarios.ts';
import { listScenarios } from './list-scenarios.ts';
import type { Scenario } from './scenario.ts';
import { deprecation, mediaTypeScenarios, retryScenarios, statusScenarios } from './status-scenarios.ts';

const classes: readonly ScenarioInfo['class'][] = ['documented', 'evolution', 'http', 'intermediary'];

/**
 * Returns the scenarios of a contract in the order in which they can apply to the same response. Not every one applies to
 * each operation.
 */
export const scenariosOf = (contract: MockContract): Scenario[] => [
  ...statusScenarios(contract),
  ...retryScenarios,
  ...mediaTypeScenarios(contract),
  ...listScenarios,
  deprecation,
  ...bodyScenarios,
  ...httpScenarios,
  ...intermediaryScenarios,
];

/** Sorts scenarios by class. */
export const byClass = <Info extends Pick<ScenarioInfo, 'class'>>(all: readonly Info[]): Info[] =>
  classes.flatMap((each) => all.filter((scenario) => scenario.class === each));

/** Returns what the scenarios of a contract do, by class. */
export const describeScenarios = (contract: MockContract): ScenarioInfo[] =>
  byClass(scenariosOf(contract)).map(({ name, class: kind, title, effect, legal, alone }) => ({
    ...{ name, class: kind, title, effect, legal },
    ...(alone ? { alone } : {}),
  }));
