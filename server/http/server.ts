import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { countFieldLines } from '../contract/field-lines.ts';
import { readRequestId } from '../contract/request-id.ts';
import { type ApiErrorResponse, errorBody, errorResponse } from '../errors.ts';
import { createServer, STATUS_CODES } from '../lib/node-http.ts';
import { type ArrivalTimer, createArrivalTimer } from './arrival-timer.ts';
import { securityHeaders } from './express/send-response.ts';
import { createRequestQueue, type RequestQueue } from './request-queue.ts';

export interface HttpServerOptions {
  /**
   * Time limit for the arrival of a request, including its body, in milliseconds. The time in which the server does not
   * read the connection does not count.
   */
  requestTimeoutMs?: number;
  /** Time after a response in which a connection stays open without a request, in milliseconds (default: 5 s). */
  keepAliveMs?: number;
  /** Maximum number of open connections. Further ones are closed at once, with the event `drop`. */
  maxConnections?: number;
  /** Called for each request that is rejected before it reaches the app. */
  onRejected?: (record: { requestId: string; status: number }) => void;
}

interface Connection {
  queue: RequestQueue;
  arrival: ArrivalTimer;
}

/**
 * Idle timeout of connections, in milliseconds. A client that never reads its response is disconnected after twice
 * this time.
 */
const idleTimeoutMs = 30_000;

/**
 * Open connections of a process. 5,000 took 61 MB of memory while idle, and 192 MB with incomplete headers of 15 KB. Each
 * takes one file descriptor.
 */
const defaultMaxConnections = 5_000;

/**
 * Creates an HTTP server that sends our error responses even for requests that Node's parser rejects: malformed HTTP,
 * headers that are too large or too slow, a missing Host (D25).
 */
export function createHttpServer(app: RequestListener, options: HttpServerOptions = {}): Server {
  const { requestTimeoutMs = 30_000, onRejected = () => {} } = options;
  const { maxConnections = defaultMaxConnections, keepAliveMs = 5_000 } = options;
  const limits = {
    headersMs: Math.min(10_000, requestTimeoutMs),
    requestMs: requestTimeoutMs,
    checkMs: Math.min(1_000, requestTimeoutMs),
  };
  const connections = new WeakMap<Duplex, Connection>();
  const connectionOf = (socket: Duplex): Connection => {
    const known = connections.get(socket);
    if (known) return known;
    const queue = createRequestQueue(socket, app);
    const connection = { queue, arrival: createArrivalTimer(socket, limits) };
    connections.set(socket, connection);
    return connection;
  };

  /**
   * Sends an error response and closes the connection. Earlier requests on the connection get their responses first.
   * Later ones are not processed.
   */
  const rejectOn = (socket: Duplex, why: ApiErrorResponse, req?: IncomingMessage) => {
    const { queue } = connectionOf(socket);
    if (queue.isClosed()) return;
    queue.close((incomplete) => {
      if (!socket.writable) return socket.destroy();
      const rejected = req ?? incomplete;
      const requestId = readRequestId(rejected?.headers['x-request-id']);
      const response = toRawResponse(why, requestId, rejected?.method === 'HEAD');
      socket.end(response, () => socket.destroy());
      onRejected({ requestId, status: why.status });
    });
  };

  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: limits.requestMs,
    headersTimeout: limits.headersMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    // Otherwise Node would respond to a missing Host without our error body.
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  server.maxConnections = maxConnections;
  // A client may close its side and still wait for the response (RFC 9112, section 9.6). Node's types lack this
  // option.
  Object.assign(server, { httpAllowHalfOpen: true });

  const arrive: RequestListener = (req, res) => {
    const { queue, arrival } = connectionOf(req.socket);
    if (queue.isClosed()) return;
    arrival.note(req);
    const { httpVersion, headers } = req;
    // Other servers read no chunks in HTTP/1.0 (RFC 9112, section 6.1).
    if (httpVersion !== '1.1' && (httpVersion !== '1.0' || headers['transfer-encoding'] !== undefined))
      return rejectOn(req.socket, malformedHttp('The request is not valid HTTP.'), req);
    const target = toOriginForm(req.url ?? '');
    if (target === undefined)
      return rejectOn(req.socket, malformedHttp('The request target is invalid.'), req);
    // HTTP/1.1 requires exactly one Host; older versions require none (RFC 9112, section 3.2).
    const hosts = countFieldLines(req.rawHeaders, 'host');
    if (hosts > 1 || (hosts === 0 && httpVersion === '1.1') || !hostShape.test(headers.host ?? ''))
      return rejectOn(
        req.socket,
        malformedHttp('The request must have exactly one valid Host header.', 'header/Host'),
        req,
      );
    req.url = target;
    queue.add({ req, res });
  };
  server.on('connection', connectionOf);
  server.on('request', arrive);
  // Without these listeners, Node would send 100 before authentication, and 417 without our error body.
  server.on('checkContinue', arrive);
  server.on('checkExpectation', arrive);
  // Without a listener for `upgrade`, Node handles a request to upgrade as any other, but discards what has arrived
  // together with its end.
  server.on('connect', (req, socket) => {
    // Node removes its own error listener from this socket, and an unhandled error would end the process.
    socket.on('error', () => socket.destroy());
    rejectOn(socket, errorResponse('methodNotAllowed', { headers: { Allow: '' } }), req);
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const { arrival } = connectionOf(socket);
    const reject = () => rejectOn(socket, parserErrorResponse(error.code));
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') arrival.expire(reject);
    else reject();
  });
  return server;
}

/**
 * Reduces a request target to its path and query (RFC 9112, section 3.2). Proxies may send an absolute URL. The target
 * `*` is returned unchanged.
 * @returns undefined if the target is invalid
 */
export function toOriginForm(target: string): string | undefined {
  // Fragments are invalid: clients do not send them, and servers disagree about their meaning.
  if (target.includes('#')) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** RFC 3986, sections 3.2.2 and 3.2.3, without the syntax of addresses. */
const hostShape = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** Maximum size of a request's headers, in bytes. */
const maxHeaderBytes = 16_384;

/** Returns the error response to malformed HTTP. */
const malformedHttp = (message: string, fields = ''): ApiErrorResponse =>
  errorResponse('malformedRequest', { message, fields });

/** Returns the error response for an error code of Node's HTTP parser. */
function parserErrorResponse(code: string | undefined): ApiErrorResponse {
  if (code === 'HPE_HEADER_OVERFLOW')
    return errorResponse('headersTooLarge', {
      message: `The headers are larger than ${maxHeaderBytes} bytes.`,
    });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorResponse('requestTimeout');
  return malformedHttp('The request is not valid HTTP.');
}

/** Serializes an error response for a connection on which Node offers no response object. */
function toRawResponse(why: ApiErrorResponse, requestId: string, headOnly: boolean): string {
  const body = JSON.stringify(errorBody(why));
  const headers = {
    ...securityHeaders,
    ...why.headers,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${why.status} ${STATUS_CODES[why.status]}\r\n${lines.join('')}\r\n${headOnly ? '' : body}`;
}
