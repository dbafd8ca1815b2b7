import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Asked } from '../../closed-loop-load.ts';
import { createSurroundings } from '../../environment.ts';
import { makeDataset } from './dataset.ts';
import type { Contestant } from './implementation-process.ts';
import { type Work, worksWith } from './workloads.ts';

/** Asks a contestant for some work. @returns answers a second @throws Error where one of them is not as it should be */
export type Ask = (work: Work, how: Pick<Asked, 'connections' | 'until'>) => Promise<number>;

export interface Contest {
  works: readonly Work[];
  /** Starts a contestant on a copy of the data. @param settings of its process, beside who it is */
  enter: (name: Contestant, settings?: Record<string, string>) => Promise<Ask>;
  close: () => Promise<void>;
}

/** A place where contestants are asked for the same work on the same data, and one who asks. */
export async function openContest(): Promise<Contest> {
  const around = createSurroundings(undefined);
  const folder = await mkdtemp(join(tmpdir(), 'parley bench '));
  const close = async () => {
    await around.close();
    await rm(folder, { recursive: true });
  };
  try {
    const original = join(folder, 'original.db');
    const works = worksWith(await makeDataset(original));
    const load = await around.load();
    let entered = 0;
    return {
      works,
      async enter(name, settings = {}) {
        entered += 1;
        const file = join(folder, `${entered}.db`);
        await copyFile(original, file);
        const { said } = await around.start(['scripts/lab/bench/enforcement/implementation-process.ts'], {
          says: /http:\/\/\S+/,
          settings: { BENCH_CONTESTANT: name, BENCH_DATABASE: file, ...settings },
        });
        const url = /http:\/\/\S+/.exec(said)?.[0] ?? '';
        return async (work, how) => {
          const { perSecond, wrong } = await load({ url, work, ...how });
          if (wrong) throw new Error(`${name}, ${work.name}: ${wrong}.`);
          return perSecond;
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
