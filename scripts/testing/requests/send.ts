import { Agent, type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps, Agent as TlsAgent } from 'node:https';
import type { SerializedRequest } from './serialize.ts';

export interface HttpResponse {
  status: number;
  /** By name in lower case. Repeated headers are joined by commas. */
  headers: Record<string, string>;
  /** Empty for a stream of events. */
  text: string;
}

/** Sends a request. @throws Error if the request fails or the response is too large */
export type SendRequest = (wire: SerializedRequest) => Promise<HttpResponse>;

const maxResponseBytes = 64 * 1_048_576;

/**
 * Creates a function that sends requests over keep-alive connections. It does not use `fetch`, which would normalize
 * paths and reject some methods.
 * @param base URL of the service: `https://api.example.com/v2`
 * @param timeoutMs timeout per response
 */
export function createRequestSender(
  base: string,
  timeoutMs: number,
): { send: SendRequest; close: () => void } {
  const url = new URL(base);
  const tls = url.protocol === 'https:';
  const agent = tls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const prefix = url.pathname.replace(/\/$/, '');
  const once = ({
    method,
    basePath,
    target,
    headers,
    body,
  }: SerializedRequest): Promise<HttpResponse | 'closed'> =>
    new Promise((resolve, reject) => {
      const patience = AbortSignal.timeout(timeoutMs);
      const request = (tls ? requestByHttps : requestByHttp)({
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        path: (basePath ?? prefix) + target,
        method,
        agent,
        signal: patience,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }) },
      });
      const fail = (error: NodeJS.ErrnoException) => {
        // The service may close an idle connection while the next request is sent, so `send` retries.
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve('closed');
        else reject(patience.aborted ? new Error(`No response within ${timeoutMs / 1_000} s.`) : error);
      };
      request.on('error', fail);
      request.on('response', (response) => void collect(response).then(resolve, fail));
      request.end(body);
    });
  const send: SendRequest = async (wire) => {
    for (;;) {
      const response = await once(wire);
      // The loop ends, because `once` returns 'closed' only for a reused connection, not for a new one.
      if (response !== 'closed') return response;
    }
  };
  return { send, close: () => agent.destroy() };
}

async function collect(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
  // A stream of events may never end, so only its head is checked.
  if (isStream) response.destroy();
  for await (const chunk of isStream ? [] : (response as AsyncIterable<Buffer>)) {
    size += chunk.length;
    if (size > maxResponseBytes) throw new Error(`The response is longer than ${maxResponseBytes} bytes.`);
    chunks.push(chunk);
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}
