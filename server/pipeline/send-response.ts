import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ValidatedResponse } from './exchange.ts';
import { hasBody } from './read-body.ts';

/** What every answer says to browsers: it is what it says that it is, and nobody keeps what people have written. */
export const securityHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

// In bytes. As much is soon there, and costs less than a new connection.
const maxDrainedBytes = 65_536;
const patienceMs = 1_000;

/** Sends an answer: the only place that writes to a response. */
export function sendResponse(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, payload }: ValidatedResponse,
): void {
  const isUnread = !req.readableEnded && hasBody(req);
  const isDrained = isUnread && isSmall(req);
  // A body that nobody has read is not waited for: its sender could take for ever.
  if (isUnread && !isDrained) res.setHeader('Connection', 'close');
  res.writeHead(status, {
    ...securityHeaders,
    ...headers,
    ...(payload === undefined ? {} : { 'Content-Length': Buffer.byteLength(payload) }),
  });
  res.end(payload);
  if (isDrained) drain(req);
}

/** Passes over the rest of a body; whoever does not send it soon is let go, for the answer is out. */
function drain(req: IncomingMessage): void {
  const late = setTimeout(() => req.socket.destroy(), patienceMs);
  late.unref();
  req.once('close', () => clearTimeout(late)).resume();
}

/** Whoever has asked whether he may send his body will not send it now. */
const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers.expect === undefined && Number(headers['content-length'] ?? Number.NaN) <= maxDrainedBytes;
