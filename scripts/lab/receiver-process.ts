import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A webhook receiver in its own process. One port responds, the other never does. The process records when the headers
 * of each request have arrived.
 */

/** The requests received since the parent process last asked for them. */
export interface ReceivedCalls {
  /** `webhook-id` and arrival time (milliseconds since 1970, with fractions) of each request to the responding port. */
  calls: [id: string, at: number][];
  /** Number of requests to the port that never responds. */
  hanging: number;
}

/** The ports of the receiver. */
export interface ReceiverPorts {
  healthy: number;
  hanging: number;
}

const timestamp = (): number => performance.timeOrigin + performance.now();

/** Delay before each response, in milliseconds. */
const answerMs = Number(process.env.BENCH_ANSWER_MS ?? 0);

if (process.send) {
  let calls: ReceivedCalls['calls'] = [];
  let hanging = 0;
  const healthyServer = createServer((req, res) => {
    calls.push([String(req.headers['webhook-id'] ?? ''), timestamp()]);
    const respond = () => res.writeHead(204).end();
    req.resume().on('end', () => (answerMs > 0 ? setTimeout(respond, answerMs) : respond()));
  });
  const hangingServer = createServer(() => {
    hanging += 1;
  });
  for (const server of [healthyServer, hangingServer]) {
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', 4_096, resolve));
  }
  const portOf = (server: typeof healthyServer): number => (server.address() as AddressInfo).port;
  process.on('message', () => {
    process.send?.({ calls, hanging } satisfies ReceivedCalls);
    calls = [];
    hanging = 0;
  });
  process.on('disconnect', () => process.exit());
  process.send({ healthy: portOf(healthyServer), hanging: portOf(hangingServer) } satisfies ReceiverPorts);
}
