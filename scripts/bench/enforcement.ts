import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contestant, contestants } from './enforcement/contestant.ts';
import { makeDataset } from './enforcement/dataset.ts';
import type { Asked } from './enforcement/load.ts';
import { type Work, worksWith } from './enforcement/works.ts';
import { type Figure, median } from './figures.ts';
import { createSurroundings } from './surroundings.ts';

const names = Object.keys(contestants) as Contestant[];
const connections = 16;

/**
 * How long each is asked before the first round, so that its code is compiled. In a round they take turns some times,
 * each for about so many seconds: what else happens on a machine lasts for longer than one turn, and so hits all.
 */
const long = { warmUpSeconds: 3, turns: 5, turnSeconds: 0.2 };

/** Enough to see that somebody has become much slower. */
const short = { warmUpSeconds: 0.4, turns: 2, turnSeconds: 0.1 };

/** What is hoped for of Parley: at least so much of what another one does. */
const goals: Record<string, Partial<Record<Contestant, number>>> = {
  'get a contact': { Express: 1, Fastify: 1 },
  'list 20': { Express: 0.9, Fastify: 1 },
  'list 100': { Express: 0.9, Fastify: 1 },
  search: { Fastify: 1 },
  'create a contact': { Express: 0.95, Fastify: 1 },
  'create a message': { Express: 0.95, Fastify: 1 },
  'bad request': { Fastify: 1 },
  'bad token': { Fastify: 1 },
};

/** What it costs to hold requests and answers to the contract, beside others who do the same work. */
export async function enforcement(
  { rounds, brief }: { rounds: number; brief: boolean },
  onProgress: (text: string) => void,
): Promise<Figure[]> {
  const { warmUpSeconds, turns, turnSeconds } = brief ? short : long;
  const around = createSurroundings(undefined);
  const folder = await mkdtemp(join(tmpdir(), 'parley bench '));
  try {
    const original = join(folder, 'original.db');
    const made = await makeDataset(original);
    const works = worksWith(made);
    const urls = new Map<Contestant, string>();
    for (const name of names) {
      const file = join(folder, `${urls.size}.db`);
      await copyFile(original, file);
      const { said } = await around.start(['scripts/bench/enforcement/contestant.ts'], {
        says: /http:\/\/\S+/,
        settings: { BENCH_CONTESTANT: name, BENCH_DATABASE: file },
      });
      urls.set(name, /http:\/\/\S+/.exec(said)?.[0] ?? '');
    }
    const load = await around.load();
    const ask = async (work: Work, name: Contestant, until: Asked['until']): Promise<number> => {
      const { perSecond, wrong } = await load({ url: urls.get(name) ?? '', work, connections, until });
      if (wrong) throw new Error(`${name}, ${work.name}: ${wrong}.`);
      return perSecond;
    };
    const enough = new Map<Work, number>();
    for (const work of works) {
      onProgress(`enforcement: warm-up, ${work.name}`);
      const warm: number[] = [];
      for (const name of names) warm.push(await ask(work, name, { seconds: warmUpSeconds }));
      enough.set(work, connections * Math.ceil((median(warm) * turnSeconds) / connections));
    }
    const rates = new Map<string, number[]>();
    for (let round = 1; round <= rounds; round += 1)
      for (const work of works) {
        onProgress(`enforcement: round ${round} of ${rounds}, ${work.name}`);
        const inTurns = new Map<Contestant, number[]>(names.map((name) => [name, []]));
        // Each time another one begins: whoever comes first finds the machine as the last one has left it.
        for (let at = 0; at < turns * names.length; at += 1) {
          const name = names[(at + Math.floor(at / names.length)) % names.length] as Contestant;
          inTurns.get(name)?.push(await ask(work, name, { requests: enough.get(work) ?? connections }));
        }
        for (const [name, each] of inTurns) {
          const key = keyOf(work, name);
          rates.set(key, [...(rates.get(key) ?? []), ...each]);
        }
      }
    return works.flatMap((work) => figuresOf(work, (name) => rates.get(keyOf(work, name)) ?? []));
  } finally {
    await around.close();
    await rm(folder, { recursive: true });
  }
}

const keyOf = (work: Work, name: Contestant): string => `${work.name} ${name}`;

function figuresOf(work: Work, rates: (name: Contestant) => number[]): Figure[] {
  const ofParley = rates('Parley');
  const beside = (name: Contestant) => ofParley.map((rate, at) => rate / (rates(name)[at] ?? Number.NaN));
  return [
    ...names.map((name) => ({ what: `${work.name}: ${name}, a second`, values: rates(name) })),
    ...names
      .filter((name) => name !== 'Parley')
      .map((name) => {
        const least = goals[work.name]?.[name];
        return {
          what: `${work.name}: Parley / ${name}`,
          values: beside(name),
          ...(least === undefined ? {} : { goal: { least } }),
        };
      }),
    goneOf(work, rates),
  ];
}

/** How much of the time is gone that the stock validator adds to each request. */
function goneOf(work: Work, rates: (name: Contestant) => number[]): Figure {
  const timeOf = (name: Contestant) => 1 / median(rates(name));
  const added = timeOf('Express, stock validator') - timeOf('Express');
  const left = timeOf('Parley') - timeOf('Express');
  return {
    what: `${work.name}: gone of what the stock validator adds`,
    values: [1 - left / added],
    goal: { least: 0.9 },
  };
}
