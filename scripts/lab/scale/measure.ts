import { quantile } from '../../lib/statistics.ts';
import { type Question, questions } from './queries.ts';
import type { Place } from './service-under-test.ts';

/** How long a question takes, in milliseconds. */
export interface Times {
  median: number;
  late: number;
}

export interface Measured {
  question: string;
  grows: string | undefined;
  small: Times;
  large: Times;
  asked: number;
}

// In turns, so that whatever else happens on the machine meets both.
const each = 25;
const longestMs = 12_000;

/** Asks everything of a small data set and of a large one, in turns. @param times how often, at the most */
export async function measure(
  places: { small: Place; large: Place },
  { times, onProgress }: { times: number; onProgress: (text: string) => void },
): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const question of questions) {
    onProgress(question.name);
    // Statements are prepared and code is compiled; not counted.
    for (const place of [places.small, places.large])
      await askOften(place, question, { from: 1_000_000, count: each });
    const small: number[] = [];
    const large: number[] = [];
    const end = performance.now() + longestMs;
    while (large.length < times && performance.now() < end) {
      const turns = { from: large.length, count: each };
      small.push(...(await askOften(places.small, question, turns)));
      large.push(...(await askOften(places.large, question, turns)));
    }
    all.push({
      question: question.name,
      grows: question.grows,
      small: timesOf(small),
      large: timesOf(large),
      asked: large.length,
    });
  }
  return all;
}

async function askOften(
  place: Place,
  question: Question,
  { from, count }: { from: number; count: number },
): Promise<number[]> {
  const took: number[] = [];
  for (let turn = from; turn < from + count; turn += 1) {
    const made = (await question.before?.(place, turn)) ?? 0;
    const reply = await question.ask(place, turn, made);
    if (reply.status !== question.status)
      throw new Error(`${question.name} was answered with ${reply.status}: ${reply.text.slice(0, 300)}`);
    await question.after?.(place, reply, made);
    took.push(reply.ms);
  }
  return took;
}

const timesOf = (took: readonly number[]): Times => ({
  median: quantile(took, 0.5),
  late: quantile(took, 0.99),
});
