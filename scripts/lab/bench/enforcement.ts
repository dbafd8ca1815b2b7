import { type Figure, median } from '../../lib/statistics.ts';
import { type Ask, openContest } from './enforcement/harness.ts';
import { type Contestant, contestants } from './enforcement/implementation-process.ts';
import type { Work } from './enforcement/workloads.ts';

const names = Object.keys(contestants) as Contestant[];
const connections = 16;

/**
 * How long each is asked before the first round, so that its code is compiled. In a round they take turns some times,
 * each for about so many seconds: what else happens on a machine lasts for longer than one turn, and so hits all.
 */
const long = { warmUpSeconds: 3, turns: 20, turnSeconds: 0.06 };

/** Enough to see that somebody has become much slower; half of it is the start of all. */
const short = { warmUpSeconds: 0.2, turns: 2, turnSeconds: 0.05 };

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
  const { works, enter, close } = await openContest();
  try {
    const contest: { name: Contestant; ask: Ask }[] = [];
    for (const name of names) contest.push({ name, ask: await enter(name) });
    const enough = new Map<Work, number>();
    for (const work of works) {
      onProgress(`enforcement: warm-up, ${work.name}`);
      const warm: number[] = [];
      for (const { ask } of contest)
        warm.push(await ask(work, { connections, until: { seconds: warmUpSeconds } }));
      enough.set(work, connections * Math.ceil((median(warm) * turnSeconds) / connections));
    }
    const rates = new Map<string, number[]>();
    for (let round = 1; round <= rounds; round += 1)
      for (const work of works) {
        onProgress(`enforcement: round ${round} of ${rounds}, ${work.name}`);
        const until = { requests: enough.get(work) ?? connections };
        for (let turn = 0; turn < turns; turn += 1)
          // Each time another one begins: whoever comes first finds the machine as the last one has left it.
          for (const { name, ask } of beginningAt(contest, turn)) {
            const key = keyOf(work, name);
            rates.set(key, [...(rates.get(key) ?? []), await ask(work, { connections, until })]);
          }
      }
    return works.flatMap((work) => figuresOf(work, (name) => rates.get(keyOf(work, name)) ?? []));
  } finally {
    await close();
  }
}

function beginningAt<One>(all: readonly One[], place: number): One[] {
  const first = place % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
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
