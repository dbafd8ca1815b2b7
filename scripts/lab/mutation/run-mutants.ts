import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { applyPatch, copyProject } from '../../lib/project-copy.ts';
import type { Mutant } from './mutant.ts';
import { patchFor } from './patch-for.ts';
import type { Stage } from './stages.ts';

export interface MutantResult {
  mutant: Mutant;
  /** The check that failed, and its message; undefined if none failed. */
  killedBy: { stage: string; violation: string } | undefined;
  seconds: number;
}

interface Run {
  /** The checks to run on a mutant, until one fails. */
  stagesFor: (mutant: Mutant) => readonly Stage[];
  /** Checks that must pass on the unchanged source, so that later failures come from mutants. */
  before: readonly Stage[];
  /** Number of project copies in which mutants are tested in parallel. */
  copies: number;
  onStage?: (text: string) => void;
  onCaught?: (caught: MutantResult) => void;
}

/**
 * Applies mutants to copies of the project and runs checks on them.
 * @returns the results, in the order of the mutants
 * @throws Error if a mutant does not apply, or the checks fail on the unchanged source
 */
export async function runMutants(
  mutants: readonly Mutant[],
  { stagesFor, before, copies, onStage = () => {}, onCaught = () => {} }: Run,
): Promise<MutantResult[]> {
  const parent = await mkdtemp(join(tmpdir(), 'parley mutation '));
  try {
    const results: MutantResult[] = [];
    const left = mutants.entries();
    let isOver = false;
    const original = join(parent, 'original');
    await copyProject(original);
    const originalPasses = firstComplaint(original, before, (stage) =>
      onStage(`unchanged source: ${stage}`),
    ).then((found) => {
      if (found) throw new Error(`The unchanged source does not pass: ${found.stage}: ${found.violation}`);
    });
    // `allSettled` below handles the error. Here the error only stops all copies.
    originalPasses.catch(() => {
      isOver = true;
    });
    const work = async (number: number) => {
      if (number === 0) await originalPasses;
      const folder = join(parent, `copy ${number}`);
      await copyProject(folder);
      for (const [index, mutant] of left) {
        // All copies stop if the unchanged source does not pass.
        if (isOver) return;
        const caught = await testMutant(folder, mutant, stagesFor(mutant), (stage) =>
          onStage(`${index + 1}/${mutants.length} ${mutant.name}: ${stage}`),
        );
        results[index] = caught;
        onCaught(caught);
      }
    };
    const ends = await Promise.allSettled([
      originalPasses,
      ...Array.from({ length: copies }, (_, number) => work(number)),
    ]);
    // Errors are thrown only after all copies have ended, because `finally` deletes their folders.
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return results;
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

async function testMutant(
  folder: string,
  mutant: Mutant,
  stages: readonly Stage[],
  onStage: (stage: string) => void,
): Promise<MutantResult> {
  const patch = patchFor(mutant);
  const path = join(folder, patch.file);
  const unchanged = await readFile(path);
  const startedAt = performance.now();
  await applyPatch(folder, patch);
  try {
    const killedBy =
      (await regenerated(folder, patch.file)) ?? (await firstComplaint(folder, stages, onStage));
    return { mutant, killedBy, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    await writeFile(path, unchanged);
    await regenerated(folder, patch.file);
  }
}

/** Regenerates files after a change to the contract, because stale files would fail every check. */
async function regenerated(folder: string, file: string): Promise<MutantResult['killedBy']> {
  if (!file.startsWith('openapi/')) return undefined;
  const generate = promisify(execFile)(process.execPath, ['scripts/commands/generate.ts'], { cwd: folder });
  return generate.then(
    () => undefined,
    (error: Error) => ({ stage: 'generate', violation: error.message.slice(0, 160) }),
  );
}

async function firstComplaint(
  folder: string,
  stages: readonly Stage[],
  onStage: (stage: string) => void,
): Promise<MutantResult['killedBy']> {
  for (const { name, findFailure } of stages) {
    onStage(name);
    const found = await findFailure(folder);
    if (found !== undefined) return { stage: name, violation: found };
  }
  return undefined;
}
