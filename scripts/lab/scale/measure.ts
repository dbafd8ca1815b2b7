import { quantile } from '../../lib/statistics.ts';
import { type ScaleQuery, scaleQueries } from './queries.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/** The median and the 99th percentile (`late`) of response times, in milliseconds. */
export interface QueryTimes {
  median: number;
  late: number;
}

export interface QueryMeasurement {
  question: string;
  grows: string | undefined;
  small: QueryTimes;
  large: QueryTimes;
  asked: number;
}

// Number of requests per turn. The data sets take turns, so that disturbances affect both.
const each = 25;
const maxMs = 12_000;

/**
 * Measures every query on a small and a large data set, in turns. Each query is measured for about 12 s at most.
 * @param times maximum number of requests per query and data set, rounded up to a multiple of 25
 * @throws Error if a response has an unexpected status
 */
export async function measureQueries(
  services: { small: ServiceUnderTest; large: ServiceUnderTest },
  { times, onProgress }: { times: number; onProgress: (text: string) => void },
): Promise<QueryMeasurement[]> {
  const all: QueryMeasurement[] = [];
  for (const question of scaleQueries) {
    onProgress(question.name);
    // Warm-up.
    for (const location of [services.small, services.large])
      await askOften(location, question, { from: 1_000_000, count: each });
    const small: number[] = [];
    const large: number[] = [];
    const end = performance.now() + maxMs;
    while (large.length < times && performance.now() < end) {
      const turns = { from: large.length, count: each };
      small.push(...(await askOften(services.small, question, turns)));
      large.push(...(await askOften(services.large, question, turns)));
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
  location: ServiceUnderTest,
  question: ScaleQuery,
  { from, count }: { from: number; count: number },
): Promise<number[]> {
  const took: number[] = [];
  for (let turn = from; turn < from + count; turn += 1) {
    const made = (await question.before?.(location, turn)) ?? 0;
    const reply = await question.ask(location, turn, made);
    if (reply.status !== question.status)
      throw new Error(`${question.name} returned ${reply.status}: ${reply.text.slice(0, 300)}`);
    await question.after?.(location, reply, made);
    took.push(reply.ms);
  }
  return took;
}

const timesOf = (took: readonly number[]): QueryTimes => ({
  median: quantile(took, 0.5),
  late: quantile(took, 0.99),
});
