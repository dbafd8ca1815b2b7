import autocannon from 'autocannon';
import type { Work } from './works.ts';

/*
 * Whoever asks, in a process of its own, on another core than those who answer.
 */

export interface Asked {
  url: string;
  work: Pick<Work, 'requests' | 'status'>;
  /** How many requests are on their way at once. */
  connections: number;
  /** When it is enough: after some seconds, or some requests. */
  until: { seconds: number } | { requests: number };
}

export interface Told {
  perSecond: number;
  /** Milliseconds. */
  p99: number;
  /** What was not as expected; nothing where everything was. */
  wrong: string;
}

async function ask({ url, work, connections, until }: Asked): Promise<Told> {
  const startedAt = performance.now();
  const result = await autocannon({
    url,
    connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.requests }),
    requests: work.requests.map(({ body, ...sent }) => (body === undefined ? sent : { ...sent, body })),
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { statusCodeStats, errors, timeouts } = result;
  const others = Object.keys(statusCodeStats ?? {}).filter((status) => status !== String(work.status));
  const wrong = [
    ...others.map((status) => `answered with ${status} instead of ${work.status}`),
    ...(errors + timeouts > 0 ? [`${errors} errors, ${timeouts} without an answer in time`] : []),
  ].join(', ');
  return { perSecond: result.requests.total / seconds, p99: result.latency.p99, wrong };
}

if (process.send) {
  process.on('message', (asked: Asked) =>
    ask(asked).then(
      (told) => process.send?.(told),
      (error: unknown) => process.send?.({ perSecond: 0, p99: 0, wrong: String(error) } satisfies Told),
    ),
  );
  process.on('disconnect', () => process.exit());
  process.send('ready');
}
