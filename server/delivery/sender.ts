import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { EgressDenied } from '../security/egress/resolver.ts';
import { checkUrl } from '../security/egress/url-check.ts';
import { webhookRequestTimeoutMs } from '../storage/queue-types.ts';
import { type Attempt, type FailureReason, maxStoredBytes } from './attempt.ts';
import { type ConnectOptions, ConnectTimeout, createConnect } from './connector.ts';
import { maxWaitMs } from './outcome.ts';
import type { WebhookRequest } from './webhook-request.ts';

export interface SenderOptions extends ConnectOptions {
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Timeout of a request, from name resolution to the end of the response, in milliseconds (D45). */
  callMs?: number;
}

// Maximum number of bytes read from a response. After a longer response, the connection is closed rather than reused.
const maxRead = 65_536;

// Closes idle connections before receivers do: otherwise a request could be written to a connection that is being
// closed, and fail.
const idleMs = 3_000;

/** Creates a sender of webhook requests over HTTP/1.1 with connection reuse. Redirects are not followed. */
export function createSender(options: SenderOptions) {
  const { policy, now, callMs = webhookRequestTimeoutMs } = options;
  let agent: Agent | undefined;
  const makeAgent = async (): Promise<Agent> => {
    // Loaded on demand: processes that send nothing start faster and use less memory.
    const undici = await import('undici');
    // A concurrent call may have created the agent while this one loaded the library.
    agent ??= new undici.Agent({
      connect: createConnect(options),
      allowH2: false,
      // The worker limits its requests. With a limit here, hanging requests would block those of other companies.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // One timeout covers the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return agent;
  };

  /** Sends one request. It never throws. */
  async function send(
    { url, method, headers, body, mayBeSent }: WebhookRequest,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const at = now();
    const startedAt = performance.now();
    const end = new AbortController();
    const timeout = setTimeout(() => end.abort(), callMs);
    const stop = () => end.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    let check: 'ended' | 'pending' | 'withdrawn' = 'ended';
    const confirm = async () => {
      check = 'pending';
      check = mayBeSent === undefined || (await mayBeSent()) ? 'ended' : 'withdrawn';
      if (check === 'withdrawn') throw new Error('The delivery must no longer be sent.');
    };
    const isPending = () => check === 'pending';
    // If the receiver fails during the check, the attempt has failed. Otherwise it would be repeated immediately. If the
    // time ends during the check, the database is slow.
    const isWithdrawn = () => check === 'withdrawn' || (isPending() && end.signal.aborted);
    const ms = () => Math.round((performance.now() - startedAt) * 10) / 10;
    try {
      const wrong = checkUrl(url, policy);
      if (wrong !== undefined) throw new EgressDenied(`The address ${wrong}.`);
      const { origin, pathname, search } = new URL(url);
      const response = await (agent ?? (await makeAgent())).request({
        origin,
        path: pathname + search,
        method: method as Dispatcher.HttpMethod,
        ...(mayBeSent ? confirmed({ headers, body }, confirm) : { headers, body }),
        signal: end.signal,
      });
      const status = response.statusCode;
      const retryAfterMs = parseRetryAfterMs(first(response.headers['retry-after']), at);
      const text = await beginningOf(response.body);
      if (isPending()) throw new Error('The receiver responded before the request was sent.');
      // Numbers outside 100 to 599 are not status codes (RFC 9110, section 15).
      if (status < 100 || status > 599)
        throw new Error(`The receiver returned ${status}, which is not a status code.`);
      return { at, ms: ms(), status, answer: text, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    } catch (error) {
      return {
        at,
        ms: ms(),
        problem: isWithdrawn() ? 'withdrawn' : problemOf(error, end.signal),
        message: messageOf(error, end.signal, callMs),
      };
    } finally {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', stop);
    }
  }

  return { send, close: async () => agent?.destroy() };
}

export type Sender = ReturnType<typeof createSender>;

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/**
 * Makes the first byte of a request wait for a confirmation. undici reads a body that is a stream after it has connected,
 * and writes the header together with the first part of the body, or at its end if it is empty.
 */
function confirmed(
  { headers, body }: Pick<WebhookRequest, 'headers' | 'body'>,
  confirm: () => Promise<void>,
) {
  const content = body === null ? undefined : Buffer.from(body);
  let isConfirming = false;
  // `Readable.from` with a generator would take 10 µs more per request.
  const stream = new Readable({
    read() {
      if (isConfirming) return;
      isConfirming = true;
      confirm().then(
        () => {
          if (content) stream.push(content);
          stream.push(null);
        },
        (error: Error) => stream.destroy(error),
      );
    },
  });
  return {
    headers: content ? { ...headers, 'content-length': String(content.length) } : headers,
    body: stream,
  };
}

/** Returns the part of a response body that is stored, even if the body is incomplete. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      if (bytes < maxStoredBytes) parts.push(part);
      bytes += part.length;
      if (bytes > maxRead) break;
    }
  } catch {}
  return Buffer.concat(parts)
    .subarray(0, maxStoredBytes)
    .toString('utf8')
    .replace(controlCharacters, '\uFFFD');
}

// Control characters can move a terminal's cursor, and take up to six characters each in JSON. Line breaks and tabs do
// not match.
const controlCharacters = /[^\P{Cc}\n\r\t]/gu;

const maxMessage = 500;

function problemOf(error: unknown, { aborted }: AbortSignal): FailureReason {
  if (error instanceof EgressDenied) return 'forbidden';
  return aborted || error instanceof ConnectTimeout ? 'timeout' : 'connection';
}

function messageOf(error: unknown, { aborted }: AbortSignal, callMs: number): string {
  if (aborted) return `No response within ${callMs / 1_000} s.`;
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // If several addresses were tried, the combined error has no message of its own.
  const message = error.message || code;
  const whole = message.includes(code) ? message : `${message} (${code})`;
  // Certificate errors, for example, contain text from the receiver.
  return whole.replace(controlCharacters, '\uFFFD').slice(0, maxMessage);
}

/**
 * Parses `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
 * @returns milliseconds from now; undefined if it is neither
 */
export function parseRetryAfterMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, maxWaitMs);
  // All three date formats are in GMT, but the asctime format omits the zone (RFC 9110, section 5.6.7).
  const date = /^[A-Z][a-z]{2,8},? /.test(text)
    ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
    : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
