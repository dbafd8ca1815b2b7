import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Time limit for requests in flight after the port is closed, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Stops a server without failing a request: it still accepts requests while balancers notice that `/readyz` is 503, then
 * closes the port, and completes the requests in flight.
 * @param drainMs how long the server still accepts connections, in milliseconds
 */
export async function stopServer(server: Server, drainMs: number): Promise<void> {
  // Tells clients that the connection will be closed after the response.
  for (const event of ['request', 'checkContinue'])
    server.prependListener(event, (_req, res: ServerResponse) => void res.setHeader('Connection', 'close'));
  if (drainMs > 0) await wait(drainMs);
  const closed = once(server, 'close');
  server.close();
  // Connections become idle once their responses have been sent, so idle ones are closed repeatedly.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(force);
}
