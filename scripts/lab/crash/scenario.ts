import type { Prng } from '../../lib/prng.ts';

/** The outcome of a scenario. */
export interface ScenarioOutcome {
  name: string;
  what: string;
  rounds: number;
  /** Observed counts, by name. */
  observations: Record<string, number>;
  /** Failures; empty if the scenario passed. */
  wrong: string[];
}

export interface ScenarioInput {
  rounds: number;
  prng: Prng;
  onRound: (done: number) => void;
}

/** A scenario in which a process is killed, power is lost, or a file is corrupted. */
export interface CrashScenario {
  name: string;
  what: string;
  /** The default number of rounds. */
  rounds: number;
  run: (given: ScenarioInput) => Promise<Pick<ScenarioOutcome, 'observations' | 'wrong'>>;
}
