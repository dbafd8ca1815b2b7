import type { Prng } from '../../lib/prng.ts';

/** What came of one way of failing. */
export interface ScenarioOutcome {
  name: string;
  what: string;
  rounds: number;
  /** What was seen besides, for people: figure by figure. */
  told: Record<string, number>;
  /** What must not be; empty where it held. */
  wrong: string[];
}

export interface ScenarioInput {
  rounds: number;
  prng: Prng;
  onRound: (done: number) => void;
}

/** One way in which a machine fails the embedded database. */
export interface CrashScenario {
  name: string;
  what: string;
  /** How many rounds are usual. */
  rounds: number;
  run: (given: ScenarioInput) => Promise<Pick<ScenarioOutcome, 'told' | 'wrong'>>;
}
