import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Time limit for requests in flight after the port is closed, in milliseconds. */
const timeoutMs = 10_000;

/** Time without a new connection or request after which the port is closed, and the longest wait for it, in milliseconds. */
const quietMs = 100;
const maxQuietMs = 3_000;

/** The events with which a server gets a request. */
const arrivals = ['request', 'checkContinue', 'checkExpectation'];

/**
 * Waits until the server has read what clients have sent. The system resets connections that the server has not accepted yet,
 * and Node closes those on which it has not read a request yet: under load, hundreds.
 */
async function untilQuiet(server: Server): Promise<void> {
  let hasArrived = true;
  const note = () => {
    hasArrived = true;
  };
  const events = ['connection', ...arrivals];
  for (const event of events) server.on(event, note);
  const startedAt = performance.now();
  while (hasArrived && performance.now() - startedAt < maxQuietMs) {
    hasArrived = false;
    await wait(quietMs);
  }
  for (const event of events) server.off(event, note);
}

/**
 * Stops a server without failing a request: it still accepts requests while balancers notice that `/readyz` is 503, then
 * closes the port, and completes the requests in flight.
 * @param drainMs how long the server still accepts connections, in milliseconds
 */
export async function stopServer(server: Server, drainMs: number): Promise<void> {
  // Tells clients that the connection will be closed after the response.
  for (const event of arrivals)
    server.prependListener(event, (_req, res: ServerResponse) => void res.setHeader('Connection', 'close'));
  if (drainMs > 0) await wait(drainMs);
  await untilQuiet(server);
  const closed = once(server, 'close');
  server.close();
  // Connections become idle once their responses have been sent, so idle ones are closed repeatedly.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(force);
}
