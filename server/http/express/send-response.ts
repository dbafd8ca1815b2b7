import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ValidatedResponse } from '../../contract/exchange.ts';
import { hasBody } from '../../contract/parse-body.ts';

/** Sent with every response: browsers must not guess the media type and must not store personal data. */
export const securityHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

/** Their names, by the name in lower case. */
const securityNames = new Map(Object.keys(securityHeaders).map((name) => [name.toLowerCase(), name]));

// Maximum size of an unread body that is read and discarded, in bytes. Reading this much costs less than a new
// connection.
const maxDrainedBytes = 65_536;

const drainTimeoutMs = 1_000;

// Timeout of reading the rest of a large body, in milliseconds. It is long, because a busy machine reads late.
const largeBodyTimeoutMs = 5_000;

/** A request, with what Express has added to it. */
type MaybeExpressRequest = IncomingMessage & { app?: { get(setting: string): unknown }; fresh?: boolean };

/** Sends a response of the pipeline. Routes of an application in front of which it stands send their own. */
export function sendResponse(
  req: MaybeExpressRequest,
  res: ServerResponse,
  { status, headers: given, cookies, payload }: ValidatedResponse,
): void {
  const headers = { ...withSecurityHeaders(given), ...(cookies ? { 'Set-Cookie': cookies } : {}) };
  const isUnread = !req.readableEnded && hasBody(req);
  const staysOpen = !isUnread || isSmall(req);
  if (!isUnread && payload !== undefined && hasCopy(req, res, status, headers, payload)) {
    res.removeHeader('Content-Type');
    res.writeHead(304).end();
    return;
  }
  if (!staysOpen) res.setHeader('Connection', 'close');
  res.writeHead(status, {
    ...headers,
    ...(payload === undefined ? {} : { 'Content-Length': Buffer.byteLength(payload) }),
  });
  if (staysOpen || payload === undefined || req.headers.expect !== undefined) res.end(payload);
  else closeAfterReading(req, res, payload);
  if (isUnread && staysOpen) drain(req);
}

/** Whether a client has the response to a GET already. Adds its ETag, unless the application has disabled `etag`. */
function hasCopy(
  req: MaybeExpressRequest,
  res: ServerResponse,
  status: number,
  headers: Record<string, string | string[]>,
  payload: string | Uint8Array,
): boolean {
  const etagOf = req.app?.get('etag fn');
  if (typeof etagOf !== 'function' || !/^(GET|HEAD)$/.test(req.method ?? '')) return false;
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const tag: unknown = res.hasHeader('ETag') ? undefined : etagOf(payload);
  if (typeof tag === 'string') res.setHeader('ETag', tag);
  return req.fresh === true;
}

/** Adds the security headers that a response does not have, however their names are written, and leaves out those without a value. */
function withSecurityHeaders(headers: Record<string, string>): Record<string, string> {
  const all: Record<string, string> = { ...securityHeaders, ...headers };
  for (const name of Object.keys(headers)) {
    const added = securityNames.get(name.toLowerCase());
    if (added !== undefined && added !== name) delete all[added];
    if (headers[name] === undefined) delete all[name];
  }
  return all;
}

/**
 * Sends a response while the client still sends its body, and reads on until the client closes the connection, for at
 * most 5 s. If the connection were closed at once, the client's system would discard the response (RFC 9112, section
 * 9.6).
 */
function closeAfterReading(req: IncomingMessage, res: ServerResponse, payload: string | Uint8Array): void {
  const end = () => res.end();
  const late = setTimeout(end, largeBodyTimeoutMs);
  late.unref();
  req.once('close', () => clearTimeout(late)).once('end', end);
  res.write(payload);
  req.resume();
}

/** Discards the rest of a body after the response. A client that does not send it within 1 s is disconnected. */
function drain(req: IncomingMessage): void {
  const late = setTimeout(() => req.socket.destroy(), drainTimeoutMs);
  late.unref();
  req.once('close', () => clearTimeout(late)).resume();
}

/**
 * Whether a body is small enough to be read and discarded. Excludes clients that wait for 100 Continue, because they do
 * not send the body after a final response.
 */
const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers.expect === undefined && Number(headers['content-length'] ?? Number.NaN) <= maxDrainedBytes;
