import type { Agent, Dispatcher } from 'undici';
import { EgressDenied } from '../egress/resolver.ts';
import { checkUrl } from '../egress/url-check.ts';
import { type Attempt, type FailureReason, maxStoredBytes } from './attempt.ts';
import { type ConnectOptions, ConnectTimeout, createConnect } from './connector.ts';
import { parseRetryAfterMs } from './retry-schedule.ts';
import type { WebhookRequest } from './webhook-request.ts';

export interface SenderOptions extends ConnectOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  /** How long a call may take, from the look at its address to the end of the answer (D45). */
  callMs?: number;
}

/** How long a whole call may take. */
const defaultCallMs = 15_000;

// A connection whose answer is longer is not worth being kept.
const maxRead = 65_536;

// Receivers close what nobody uses after some seconds; one that does it as we write makes a call fail.
const idleMs = 3_000;

/** Makes calls to webhooks, by HTTP/1.1, on connections that are kept for a while. Redirects are answers like others. */
export function createSender(options: SenderOptions) {
  const { policy, now, callMs = defaultCallMs } = options;
  let agent: Agent | undefined;
  const makeAgent = async (): Promise<Agent> => {
    // Whoever has nothing to send does without the library, at the start and in the memory.
    const undici = await import('undici');
    // Two may have begun to load it.
    agent ??= new undici.Agent({
      connect: createConnect(options),
      allowH2: false,
      // The worker limits its requests. A limit here would let requests that hang block those of other companies.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // One clock for the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return agent;
  };

  /** Makes one call. It never throws. */
  async function send(
    { url, method, headers, body }: WebhookRequest,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const at = now();
    const begun = performance.now();
    const end = new AbortController();
    const patience = setTimeout(() => end.abort(), callMs);
    const stop = () => end.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    const ms = () => Math.round((performance.now() - begun) * 10) / 10;
    try {
      const wrong = checkUrl(url, policy);
      if (wrong !== undefined) throw new EgressDenied(`The address ${wrong}.`);
      const { origin, pathname, search } = new URL(url);
      const response = await (agent ?? (await makeAgent())).request({
        origin,
        path: pathname + search,
        method: method as Dispatcher.HttpMethod,
        headers,
        body,
        signal: end.signal,
      });
      const status = response.statusCode;
      const retryAfterMs = parseRetryAfterMs(first(response.headers['retry-after']), at);
      const text = await beginningOf(response.body);
      // RFC 9110, 15: others are no statuses.
      if (status < 100 || status > 599) throw new Error(`Answered with ${status}, which is no status.`);
      return { at, ms: ms(), status, answer: text, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    } catch (error) {
      return {
        at,
        ms: ms(),
        problem: problemOf(error, end.signal),
        message: messageOf(error, end.signal, callMs),
      };
    } finally {
      clearTimeout(patience);
      signal?.removeEventListener('abort', stop);
    }
  }

  return { send, close: async () => agent?.destroy() };
}

export type Sender = ReturnType<typeof createSender>;

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** What is kept of an answer, in which anything may stand; one that breaks off is as good as one that ends. */
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
  return Buffer.concat(parts).subarray(0, maxStoredBytes).toString('utf8').replace(strange, '\uFFFD');
}

// What moves a terminal's cursor, or takes six characters in JSON; not the ends of lines and tabs.
const strange = /[^\P{Cc}\n\r\t]/gu;

const maxMessage = 500;

function problemOf(error: unknown, { aborted }: AbortSignal): FailureReason {
  if (error instanceof EgressDenied) return 'forbidden';
  return aborted || error instanceof ConnectTimeout ? 'timeout' : 'connection';
}

function messageOf(error: unknown, { aborted }: AbortSignal, callMs: number): string {
  if (aborted) return `No answer within ${callMs / 1_000} s.`;
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Several addresses were tried: each has an error of its own, the sum has no words.
  const message = error.message || code;
  const whole = message.includes(code) ? message : `${message} (${code})`;
  // Certificates, for instance, bring words of their own.
  return whole.replace(strange, '\uFFFD').slice(0, maxMessage);
}
