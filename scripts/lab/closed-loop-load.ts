import { Client, type Dispatcher } from 'undici';
import { quantile } from '../lib/statistics.ts';
import type { Sent, Work } from './bench/enforcement/workloads.ts';

/*
 * Whoever asks, in a process of its own, on another core than those who answer.
 */

export interface Asked {
  url: string;
  work: Pick<Work, 'requests' | 'status'>;
  /** How many requests are on their way at once, each on a connection of its own. */
  connections: number;
  /** When it is enough. */
  until: { seconds: number } | { requests: number };
}

export interface Told {
  perSecond: number;
  /** Milliseconds. */
  p99: number;
  /** What was not as expected; nothing where everything was. */
  wrong: string;
}

const clients = new Map<string, Client[]>();

/** Connections stay, so that making them is not what is measured. */
function clientsFor(url: string, count: number): Client[] {
  const known = clients.get(url) ?? [];
  while (known.length < count)
    known.push(new Client(url, { pipelining: 1, keepAliveTimeout: 60_000, allowH2: false }));
  clients.set(url, known);
  return known.slice(0, count);
}

async function ask({ url, work, connections, until }: Asked): Promise<Told> {
  const others = new Map<number, number>();
  const took: number[] = [];
  let begun = 0;
  const isEnough = () =>
    'requests' in until ? begun >= until.requests : performance.now() - beganAt >= until.seconds * 1_000;
  const askInTurn = async (client: Client) => {
    while (!isEnough()) {
      const sent = work.requests[begun % work.requests.length] as Sent;
      begun += 1;
      const startedAt = performance.now();
      const status = await answerTo(client, sent);
      took.push(performance.now() - startedAt);
      if (status !== work.status) others.set(status, (others.get(status) ?? 0) + 1);
    }
  };
  const beganAt = performance.now();
  await Promise.all(clientsFor(url, connections).map(askInTurn));
  const seconds = (performance.now() - beganAt) / 1_000;
  const wrong = Array.from(others, ([status, times]) => `${times} times ${status} instead of ${work.status}`);
  return { perSecond: begun / seconds, p99: quantile(took, 0.99), wrong: wrong.join(', ') };
}

/** Reads an answer to its end, and looks at nothing but its status: who asks must not be slower than who answers. */
function answerTo(client: Client, { method, path, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData() {},
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => reject(error),
    };
    client.dispatch({ method, path, headers, body: body ?? null }, handler);
  });
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
