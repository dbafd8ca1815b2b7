import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A receiver of webhooks in a process of its own: one port that answers, one that never does. It notes when the
 * first byte of each call's head was read, and tells it when it is asked.
 */

/** What the receiver has seen since it was asked the last time. */
export interface ReceivedCalls {
  /** `webhook-id` and moment (milliseconds since 1970, with fractions) of each call that is answered. */
  calls: [id: string, at: number][];
  hanging: number;
}

/** Which ports it listens on. */
export interface ReceiverPorts {
  healthy: number;
  hanging: number;
}

const timestamp = (): number => performance.timeOrigin + performance.now();

/** How long a call is thought about, in milliseconds. */
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
