import { join } from 'node:path';
import { createTemplate } from './create-company.ts';
import { createPlan, type Plan } from './plan.ts';
import { type Outcome, runSimulation } from './run-simulation.ts';
import { real } from './scheduler.ts';
import { shrink } from './shrink.ts';

/** The seeds that a thread runs. */
export interface SeedRange {
  /** The folder of the databases. */
  folder: string;
  from: number;
  to: number;
  step: number;
  /** No seed begins after this time, in milliseconds. */
  maxMs: number;
  /** The name of a planted fault. */
  fault?: string | undefined;
}

/** The result of a seed. The history is that of the shrunk plan, if there is a violation. */
export interface SeedResult extends Outcome {
  seed: number;
  /** The number of lines of the history before it was shrunk. */
  linesBefore: number;
}

/** Failing plans are made smaller for this time, in milliseconds. */
const shrinkMs = 30_000;

/** Runs the simulations of a range of seeds, until one fails. @param report called with each result */
export async function runSeeds(
  { folder, from, to, step, maxMs }: SeedRange,
  report: (result: SeedResult) => void,
): Promise<void> {
  const template = await createTemplate(join(folder, `${from}.db`));
  const run = (plan: Plan) => runSimulation(plan, template);
  const startedAt = real.now();
  for (let seed = from; seed <= to && real.now() - startedAt < maxMs; seed += step) {
    const plan = createPlan(seed);
    const outcome = await run(plan);
    const shown = outcome.violation ? await shrink(plan, outcome, run, shrinkMs) : outcome;
    const { violation, history } = shown;
    report({ ...outcome, violation, history, seed, linesBefore: outcome.history.length });
    if (outcome.violation) return;
  }
}
