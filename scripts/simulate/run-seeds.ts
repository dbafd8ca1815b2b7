import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemplate } from './create-template.ts';
import { createPlan } from './plan.ts';
import { real } from './real-functions.ts';
import { type Outcome, runSimulation } from './run-simulation.ts';
import { shrink } from './shrink.ts';

/** Which seeds a process runs. */
export interface SeedRange {
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

/** A folder in memory, if there is one: the simulation tests no disk. */
const folderIn = (): string => {
  try {
    return mkdtempSync('/dev/shm/parley-simulation-');
  } catch {
    return mkdtempSync(join(tmpdir(), 'parley-simulation-'));
  }
};

/** Runs the simulations of a range of seeds, until one fails. @param report called with each result @param isWanted whether to go on */
export async function runSeeds(
  { from, to, step, maxMs }: SeedRange,
  report: (result: SeedResult) => Promise<void>,
  isWanted: () => boolean,
): Promise<void> {
  const folder = folderIn();
  try {
    const template = await createTemplate(join(folder, 'template.db'));
    const run = (plan: ReturnType<typeof createPlan>) => runSimulation(plan, template);
    const startedAt = real.now();
    for (let seed = from; seed <= to && isWanted() && real.now() - startedAt < maxMs; seed += step) {
      const plan = createPlan(seed);
      const outcome = await run(plan);
      const linesBefore = outcome.history.length;
      const shown = outcome.violation ? await shrink(plan, outcome, run, shrinkMs) : outcome;
      await report({ ...outcome, violation: shown.violation, history: shown.history, seed, linesBefore });
      if (outcome.violation) return;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
