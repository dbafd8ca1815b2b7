import { isErrorBody, NoResponseError, parseRetryAfterSeconds, UnexpectedResponseError } from './errors.ts';
import { type CallOutcome, isRepeatable, waitBeforeNext } from './retry-policy.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (request: Request) => Promise<Response>;

interface SendOptions {
  fetch: Fetch;
  token: string | (() => string | Promise<string>);
  /** Maximum number of retries. */
  retries: number;
  /** Timeout of an attempt in milliseconds, including the time to read the response body. */
  timeoutMs: number;
}

/**
 * Creates a `fetch` that sends requests with a token, and retries if that is safe and useful. It returns only
 * documented responses.
 * @throws UnexpectedResponseError, NoResponseError; the reason of an aborted signal; TypeError for an invalid token;
 * errors of the token function
 */
export const createTransport =
  ({ fetch, token, retries, timeoutMs }: SendOptions): Fetch =>
  async (request) => {
    const { headers, signal } = request;
    if (request.method === 'POST' && !headers.get('Idempotency-Key'))
      headers.set('Idempotency-Key', crypto.randomUUID());
    for (let made = 1; ; made++) {
      authorize(headers, typeof token === 'string' ? token : await unlessAborted(token(), signal));
      let outcome: CallOutcome & { finish: () => Response };
      try {
        outcome = await attempt(request, fetch, timeoutMs);
      } catch (error) {
        // If the caller has aborted the request, there is no retry.
        signal.throwIfAborted();
        outcome = {
          finish: () => {
            throw new NoResponseError(request, made, error);
          },
        };
      }
      const waitMs = isRepeatable(request)
        ? waitBeforeNext(outcome, made, retries, Math.random())
        : undefined;
      if (waitMs === undefined) return outcome.finish();
      await sleep(waitMs, signal);
    }
  };

/**
 * Sets the Authorization header. Checks the token first, because the platform's error message would contain an invalid
 * token.
 */
function authorize(headers: Headers, token: string): void {
  if (typeof token !== 'string')
    throw new TypeError(`The token function must return a string, not ${typeof token}.`);
  if (!/^[\x21-\x7e]*$/.test(token))
    throw new TypeError('The token contains a space, a line break or another invalid character.');
  if (token === '') headers.delete('Authorization');
  else headers.set('Authorization', `Bearer ${token}`);
}

async function attempt(
  request: Request,
  fetch: Fetch,
  timeoutMs: number,
): Promise<CallOutcome & { finish: () => Response }> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const sent = new Request(request.clone(), { signal });
  active.add(sent);
  const { status, headers, ok, text } = await receive(fetch, sent).finally(() => active.delete(sent));
  const outcome = { status, retryAfter: parseRetryAfterSeconds(headers.get('Retry-After'), Date.now()) };
  const unexpected = (what: string) => ({
    ...outcome,
    finish: () => {
      throw new UnexpectedResponseError(what, request, status, text);
    },
  });
  // Following a redirect would turn a POST into a GET.
  if (status < 200 || (status >= 300 && status < 400))
    return unexpected('it is a redirect, which this client does not follow.');
  const body = json(headers.get('Content-Type'), text);
  if (body === undefined) return unexpected(`${status}, but not JSON.`);
  // The body is decoded text now, so the headers about encoding and length no longer apply.
  const rest = new Headers(headers);
  for (const name of ['Content-Length', 'Content-Encoding']) rest.delete(name);
  const finish = () => new Response(text, { status, headers: rest });
  if (ok) return { ...outcome, finish };
  if (!isErrorBody(status, body)) return unexpected(`${status}, but not in Parley's error format.`);
  return { ...outcome, code: body.code, finish };
}

/**
 * The requests without a complete response. In Node, a request that was collected as garbage does not pass on that it was
 * aborted (https://github.com/nodejs/undici/issues/4068), so a timeout would have no effect.
 */
const active = new Set<Request>();

async function receive(fetch: Fetch, request: Request) {
  const response = await fetch(request);
  const { status, headers, ok } = response;
  return { status, headers, ok, text: await response.text() };
}

function json(type: string | null, text: string): unknown {
  if (!/^application\/json\s*(;|$)/i.test(type ?? '')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value, or rejects with the signal's reason if the signal aborts first. */
async function unlessAborted<Value>(value: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_done, fail) => {
    stop = () => fail(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits, or rejects with the signal's reason when the signal aborts. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await unlessAborted(isOver, signal).finally(() => clearTimeout(timer));
}
