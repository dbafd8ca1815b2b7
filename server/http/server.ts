import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type CatalogError, errorResponse } from '../errors.ts';
import { createServer } from '../lib/node-http.ts';
import { countFieldLines } from '../pipeline/field-lines.ts';
import { readRequestId } from '../pipeline/request-id.ts';
import { malformedHttp, maxHeaderBytes, parserErrorResponse, toRawResponse } from './raw-response.ts';
import { toOriginForm } from './request-target.ts';

export interface HttpServerOptions {
  /** Time limit for the arrival of a request, including its body, in milliseconds. */
  requestTimeoutMs?: number;
  /** Called for each request that is rejected before it reaches the app. */
  onRejected?: (record: { requestId: string; status: number }) => void;
}

/**
 * Idle timeout of connections, in milliseconds. A client that never reads its response is disconnected after twice
 * this time.
 */
const idleTimeoutMs = 30_000;

/** Maximum wait for the client to read the previous responses on its connection, in milliseconds. */
const drainTimeoutMs = 20_000;

interface PendingExchange {
  req: IncomingMessage;
  res: ServerResponse;
}

/**
 * Creates an HTTP server that sends our error responses even for requests that Node's parser rejects: malformed HTTP,
 * headers that are too large or too slow, a missing Host (D25).
 */
export function createHttpServer(app: RequestListener, options: HttpServerOptions = {}): Server {
  const { requestTimeoutMs = 30_000, onRejected = () => {} } = options;
  const inFlight = new WeakMap<Duplex, PendingExchange[]>();
  const rejected = new WeakSet<Duplex>();

  /**
   * Sends an error response and closes the connection. Earlier requests on the connection get their responses first.
   * Later ones are not processed.
   */
  const rejectOn = async (socket: Duplex, why: CatalogError, req?: IncomingMessage) => {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    const waiting = [...(inFlight.get(socket) ?? [])];
    // The rejected request is the one that has not arrived completely. It may already have its response.
    const own = waiting.find((each) => !each.req.complete);
    const earlier = waiting.filter((each) => each !== own);
    await allClosed(earlier);
    if (earlier.some(({ res }) => !res.closed)) return socket.destroy();
    if (own?.res.headersSent) await allClosed([own]);
    if (own?.res.headersSent || !socket.writable) return socket.destroy();
    const rejectedRequest = req ?? own?.req;
    const requestId = readRequestId(rejectedRequest?.headers['x-request-id']);
    const response = toRawResponse(why, requestId, rejectedRequest?.method === 'HEAD');
    socket.end(response, () => socket.destroy());
    onRejected({ requestId, status: why.status });
  };

  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(10_000, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    // Otherwise Node would respond to a missing Host without our error body.
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  // A client may close its side and still wait for the response (RFC 9112, section 9.6). Node's types lack this
  // option.
  Object.assign(server, { httpAllowHalfOpen: true });

  const arrive: RequestListener = (req, res) => {
    if (rejected.has(req.socket)) return;
    const target = toOriginForm(req.url ?? '');
    if (target === undefined)
      return void rejectOn(req.socket, malformedHttp('The request target is invalid.'), req);
    // HTTP/1.1 requires exactly one Host; older versions require none (RFC 9112, section 3.2).
    const hosts = countFieldLines(req, 'host');
    if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1'))
      return void rejectOn(
        req.socket,
        malformedHttp('The request must have exactly one Host header.', 'header/Host'),
        req,
      );
    req.url = target;
    const each = { req, res };
    const ofSocket = inFlight.get(req.socket) ?? [];
    const before = ofSocket.slice();
    if (ofSocket.push(each) === 1) inFlight.set(req.socket, ofSocket);
    res.once('close', () => {
      ofSocket.splice(ofSocket.indexOf(each), 1);
      // Requests after a response that closes the connection must not be processed.
      if (res.getHeader('Connection') === 'close') rejected.add(req.socket);
    });
    if (before.length === 0) app(req, res);
    else processAfter(before, each);
  };
  /**
   * Processes a pipelined request after all earlier ones, because an earlier response may close the connection, and a
   * client that does not read its responses must not get further ones.
   */
  const processAfter = async (before: PendingExchange[], { req, res }: PendingExchange) => {
    await allClosed(before);
    if (before.some((earlier) => !earlier.res.closed)) req.socket.destroy();
    else if (!rejected.has(req.socket) && !req.socket.destroyed) app(req, res);
  };
  server.on('request', arrive);
  // Without these listeners, Node would send 100 before authentication, and 417 without our error body.
  server.on('checkContinue', arrive);
  server.on('checkExpectation', arrive);
  server.on('connect', (req, socket) => {
    // Node removes its own error listener from this socket, and an unhandled error would end the process.
    socket.on('error', () => socket.destroy());
    rejectOn(socket, errorResponse('methodNotAllowed', { headers: { Allow: '' } }), req);
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else rejectOn(socket, parserErrorResponse(error.code));
  });
  return server;
}

/** Resolves when the responses have been sent, or after a timeout. */
async function allClosed(exchanges: readonly PendingExchange[]): Promise<void> {
  const open = exchanges.filter(({ res }) => !res.closed);
  if (open.length === 0) return;
  const closed = Promise.all(open.map(({ res }) => new Promise((resolve) => res.once('close', resolve))));
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, drainTimeoutMs);
  await Promise.race([closed, late]);
  clearTimeout(timer);
}
