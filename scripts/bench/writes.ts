import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataset } from './enforcement/dataset.ts';
import { worksWith } from './enforcement/works.ts';
import { type Figure, median } from './figures.ts';
import { createSurroundings } from './surroundings.ts';

const inFlight = 32;
const warmUpSeconds = 3;
const turns = 5;
const turnSeconds = 0.4;

const disks = [
  { disk: 'this disk', commitMs: '0' },
  { disk: 'a commit of 2 ms', commitMs: '2' },
] as const;

const ways = [
  { way: 'one commit each', batch: '1' },
  { way: 'shared commits', batch: '500' },
] as const;

/** Durable creates by HTTP, 32 at once: those that share commits beside those that have one each. */
export async function writes(
  { rounds }: { rounds: number },
  onProgress: (text: string) => void,
): Promise<Figure[]> {
  const around = createSurroundings(undefined);
  const folder = await mkdtemp(join(tmpdir(), 'parley bench '));
  try {
    const original = join(folder, 'original.db');
    const made = await makeDataset(original);
    const works = worksWith(made).filter(({ status }) => status === 201);
    const load = await around.load();
    const figures: Figure[] = [];
    for (const { disk, commitMs } of disks) {
      const urls: string[] = [];
      for (const { batch } of ways) {
        const file = join(folder, `${commitMs} ${batch}.db`);
        await copyFile(original, file);
        const { said } = await around.start(['scripts/bench/enforcement/contestant.ts'], {
          says: /http:\/\/\S+/,
          settings: {
            BENCH_CONTESTANT: 'Parley',
            BENCH_DATABASE: file,
            BENCH_LARGEST_BATCH: batch,
            BENCH_COMMIT_MS: commitMs,
          },
        });
        urls.push(/http:\/\/\S+/.exec(said)?.[0] ?? '');
      }
      for (const work of works) {
        const values: number[][] = ways.map(() => []);
        const ask = async (
          url: string,
          until: { seconds: number } | { requests: number },
        ): Promise<number> => {
          const { perSecond, wrong } = await load({ url, work, connections: inFlight, until });
          if (wrong) throw new Error(`${work.name}: ${wrong}.`);
          return perSecond;
        };
        onProgress(`writes: ${work.name}, ${disk}, warm-up`);
        const warm: number[] = [];
        for (const url of urls) warm.push(await ask(url, { seconds: warmUpSeconds }));
        for (let round = 1; round <= rounds; round += 1) {
          onProgress(`writes: ${work.name}, ${disk}, round ${round} of ${rounds}`);
          const inTurns: number[][] = ways.map(() => []);
          for (let turn = 0; turn < turns; turn += 1)
            for (const [at, url] of urls.entries())
              inTurns[at]?.push(await ask(url, { requests: Math.ceil((warm[at] ?? 1) * turnSeconds) }));
          for (const [at, each] of inTurns.entries()) values[at]?.push(median(each));
        }
        const [alone = [], shared = []] = values;
        figures.push(
          ...ways.map(({ way }, at) => ({
            what: `${work.name}, ${disk}: ${way}, a second`,
            values: values[at] ?? [],
          })),
          {
            what: `${work.name}, ${disk}: shared / one each`,
            values: shared.map((rate, at) => rate / (alone[at] ?? Number.NaN)),
            goal: { least: 5 },
          },
        );
      }
    }
    return figures;
  } finally {
    await around.close();
    await rm(folder, { recursive: true });
  }
}
