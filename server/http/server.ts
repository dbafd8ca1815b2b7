import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type CatalogError, errorResponse } from '../errors.ts';
import { createServer } from '../lib/node-http.ts';
import { countFieldLines } from '../pipeline/field-lines.ts';
import { readRequestId } from '../pipeline/request-id.ts';
import { malformedHttp, maxHeaderBytes, parserErrorResponse, toRawResponse } from './raw-response.ts';
import { toOriginForm } from './request-target.ts';

export interface HttpServerOptions {
  /** How long a whole request, body included, may take to arrive. */
  requestTimeoutMs?: number;
  /** Told of each request that was refused before it could reach the app. */
  onRefused?: (record: { requestId: string; status: number }) => void;
}

/** How long a connection may stay without a byte in either direction; a client that never reads is let go after twice that. */
const silenceMs = 30_000;

/** How long an earlier answer may take to be read before the connection is given up. */
const patienceMs = 20_000;

interface InWork {
  req: IncomingMessage;
  res: ServerResponse;
}

/**
 * An HTTP server that answers with our errors even where Node's own parser refuses: malformed HTTP,
 * headers that are too large or too slow, a missing Host (D25).
 */
export function createHttpServer(app: RequestListener, options: HttpServerOptions = {}): Server {
  const { requestTimeoutMs = 30_000, onRefused = () => {} } = options;
  const inFlight = new WeakMap<Duplex, InWork[]>();
  const rejected = new WeakSet<Duplex>();

  /** Requests before the refused one get their answers first; nothing behind it is looked at any more. */
  const refuseOn = async (socket: Duplex, why: CatalogError, req?: IncomingMessage) => {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    const waiting = [...(inFlight.get(socket) ?? [])];
    // A request that has not arrived whole is the refused one itself; it may have its answer already.
    const own = waiting.find((each) => !each.req.complete);
    const earlier = waiting.filter((each) => each !== own);
    await allClosed(earlier);
    if (earlier.some(({ res }) => !res.closed)) return socket.destroy();
    if (own?.res.headersSent) await allClosed([own]);
    if (own?.res.headersSent || !socket.writable) return socket.destroy();
    const refusedOne = req ?? own?.req;
    const requestId = readRequestId(refusedOne?.headers['x-request-id']);
    const response = toRawResponse(why, requestId, refusedOne?.method === 'HEAD');
    socket.end(response, () => socket.destroy());
    onRefused({ requestId, status: why.status });
  };

  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(10_000, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    // Node would answer without our error's body.
    requireHostHeader: false,
  });
  server.timeout = silenceMs;
  // A client may close its side and still wait for the answer (RFC 9112, 9.6). Node has the switch, its types do not.
  Object.assign(server, { httpAllowHalfOpen: true });

  const arrive: RequestListener = (req, res) => {
    if (rejected.has(req.socket)) return;
    const target = toOriginForm(req.url ?? '');
    if (target === undefined)
      return void refuseOn(req.socket, malformedHttp('The address of the request is not well-formed.'), req);
    // RFC 9112, 3.2: HTTP/1.1 has one Host, older versions need none.
    const hosts = countFieldLines(req, 'host');
    if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1'))
      return void refuseOn(req.socket, malformedHttp('There must be one Host header.', 'header/Host'), req);
    req.url = target;
    const each = { req, res };
    const ofSocket = inFlight.get(req.socket) ?? [];
    const before = ofSocket.slice();
    if (ofSocket.push(each) === 1) inFlight.set(req.socket, ofSocket);
    res.once('close', () => {
      ofSocket.splice(ofSocket.indexOf(each), 1);
      // What stands behind an answer that closes the connection must not be done.
      if (res.getHeader('Connection') === 'close') rejected.add(req.socket);
    });
    if (before.length === 0) app(req, res);
    else answerAfter(before, each);
  };
  /** One after the other: an earlier answer may close the connection, and a client that does not read gets no more. */
  const answerAfter = async (before: InWork[], { req, res }: InWork) => {
    await allClosed(before);
    if (before.some((earlier) => !earlier.res.closed)) req.socket.destroy();
    else if (!rejected.has(req.socket) && !req.socket.destroyed) app(req, res);
  };
  server.on('request', arrive);
  // Without these listeners Node would say 100 before the token is judged, and 417 without our body.
  server.on('checkContinue', arrive);
  server.on('checkExpectation', arrive);
  server.on('connect', (req, socket) => {
    // Node hands the socket over without a listener of its own: an error would end the process.
    socket.on('error', () => socket.destroy());
    refuseOn(socket, errorResponse('methodNotAllowed', { headers: { Allow: '' } }), req);
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseOn(socket, parserErrorResponse(error.code));
  });
  return server;
}

/** Resolves when the answers are out, or when it is time not to wait for their reader any longer. */
async function allClosed(exchanges: readonly InWork[]): Promise<void> {
  const open = exchanges.filter(({ res }) => !res.closed);
  if (open.length === 0) return;
  const closed = Promise.all(open.map(({ res }) => new Promise((resolve) => res.once('close', resolve))));
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([closed, late]);
  clearTimeout(timer);
}
