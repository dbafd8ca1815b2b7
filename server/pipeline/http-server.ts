import { randomUUID } from 'node:crypto';
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, type Refusal, refusal } from '../errors.ts';

export interface HttpServerOptions {
  /** How long a whole request, body included, may take to arrive. */
  requestTimeoutMs?: number;
  /** Told of each request that was refused before it could reach the app. */
  onRefused?: (record: { requestId: string; status: number }) => void;
}

/**
 * An HTTP server that answers with our errors even where Node's own parser refuses: malformed HTTP,
 * headers that are too large or too slow, a missing Host (D25).
 */
export function createHttpServer(app: RequestListener, options: HttpServerOptions = {}): Server {
  const { requestTimeoutMs = 30_000, onRefused = () => {} } = options;
  const inWork = new WeakMap<Duplex, ServerResponse>();

  const refuseOn = (socket: Duplex, why: Refusal) => {
    if (!socket.writable || inWork.get(socket)?.headersSent) return socket.destroy();
    const requestId = randomUUID();
    socket.end(rawAnswer(why, requestId), () => socket.destroy());
    onRefused({ requestId, status: why.status });
  };

  const server = createServer({
    maxHeaderSize: 16_384,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(10_000, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    // Node would answer without our error's body.
    requireHostHeader: false,
  });

  const arrive: RequestListener = (req, res) => {
    inWork.set(req.socket, res);
    res.once('close', () => inWork.delete(req.socket));
    // RFC 9112, 3.2: HTTP/1.1 without Host is malformed.
    if (req.httpVersion === '1.1' && !req.headers.host)
      refuseOn(
        req.socket,
        refusal('malformed', { message: 'The Host header is missing.', fields: 'header/Host' }),
      );
    else app(req, res);
  };
  server.on('request', arrive);
  // Without these listeners Node would say 100 before the token is judged, and 417 without our body.
  server.on('checkContinue', arrive);
  server.on('checkExpectation', arrive);
  server.on('connect', (_req, socket) =>
    refuseOn(socket, refusal('methodNotAllowed', { headers: { Allow: '' } })),
  );
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseOn(socket, reasonOf(error.code));
  });
  return server;
}

/** Where a listening server can be reached from this machine. @param host what it was told to listen on */
export function addressOf(server: Server, host: string): string {
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function reasonOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return refusal('headersTooLarge', { message: 'The headers are larger than 16384 bytes.' });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('tooSlow');
  return refusal('malformed', { message: 'The request is not well-formed HTTP.' });
}

function rawAnswer(why: Refusal, requestId: string): string {
  const body = JSON.stringify(errorBody(why));
  const headers = {
    ...why.headers,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${why.status} ${STATUS_CODES[why.status]}\r\n${lines.join('')}\r\n${body}`;
}
