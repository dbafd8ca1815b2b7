import { Client, type Dispatcher } from 'undici';

/*
 * A closed-loop load generator: each connection sends its next request after the response to the previous one. It runs
 * in its own process, on a different core than the service.
 */

/** Requests that a load generator sends to an API, in turn. */
export interface Workload {
  name: string;
  /** The expected status code of every response. */
  status: number;
  /** Sent in this order; after the last request, the first is sent again. */
  requests: WorkloadRequest[];
}

interface WorkloadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface ClosedLoopOptions {
  url: string;
  workload: Pick<Workload, 'requests' | 'status'>;
  /** Number of concurrent requests, each on its own connection. */
  connections: number;
  /** When to stop. */
  until: { seconds: number } | { requests: number };
}

export interface ClosedLoopResult {
  /** Number of requests that were sent. */
  requests: number;
  perSecond: number;
  /** Unexpected responses; empty if all were as expected. */
  wrong: string;
}

const clients = new Map<string, Client[]>();

/** Returns clients with one connection each. They are reused, so that connecting is not measured. */
function clientsFor(url: string, count: number): Client[] {
  const known = clients.get(url) ?? [];
  while (known.length < count)
    known.push(new Client(url, { pipelining: 1, keepAliveTimeout: 60_000, allowH2: false }));
  clients.set(url, known);
  return known.slice(0, count);
}

async function ask({ url, workload, connections, until }: ClosedLoopOptions): Promise<ClosedLoopResult> {
  const others = new Map<number, number>();
  let begun = 0;
  const isEnough = () =>
    'requests' in until ? begun >= until.requests : performance.now() - beganAt >= until.seconds * 1_000;
  const askInTurn = async (client: Client) => {
    while (!isEnough()) {
      const sent = workload.requests[begun % workload.requests.length] as WorkloadRequest;
      begun += 1;
      const status = await answerTo(client, sent);
      if (status !== workload.status) others.set(status, (others.get(status) ?? 0) + 1);
    }
  };
  const beganAt = performance.now();
  await Promise.all(clientsFor(url, connections).map(askInTurn));
  const seconds = (performance.now() - beganAt) / 1_000;
  const wrong = Array.from(others, ([status, times]) => `${times} × ${status} instead of ${workload.status}`);
  return { requests: begun, perSecond: begun / seconds, wrong: wrong.join(', ') };
}

/** Sends a request and returns only the status code, because the generator must be faster than the service. */
function answerTo(client: Client, { method, path, headers, body }: WorkloadRequest): Promise<number> {
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
  process.on('message', (asked: ClosedLoopOptions) =>
    ask(asked).then(
      (told) => process.send?.(told),
      (error: unknown) =>
        process.send?.({ requests: 0, perSecond: 0, wrong: String(error) } satisfies ClosedLoopResult),
    ),
  );
  process.on('disconnect', () => process.exit());
  process.send('ready');
}
