import { isErrorBody, NoAnswer, secondsFrom, UnexpectedAnswer } from './error.ts';
import { isRepeatable, type Outcome, waitBeforeNext } from './retries.ts';

/** What `fetch` is, as far as this client goes. */
export type Fetch = (request: Request) => Promise<Response>;

interface SendOptions {
  fetch: Fetch;
  token: string | (() => string | Promise<string>);
  /** How often a request is repeated at most. */
  retries: number;
  /** For each attempt, its answer included. */
  timeoutMs: number;
}

/**
 * Sends requests with their token, again where that is safe and helps. Only what the contract documents comes back.
 * @throws UnexpectedAnswer, NoAnswer; the reason of the request's signal where that was aborted
 */
export const createSend =
  ({ fetch, token, retries, timeoutMs }: SendOptions): Fetch =>
  async (request) => {
    const { headers, signal } = request;
    if (request.method === 'POST' && !headers.has('Idempotency-Key'))
      headers.set('Idempotency-Key', crypto.randomUUID());
    for (let made = 1; ; made++) {
      headers.set('Authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
      let outcome: Outcome & { finish: () => Response };
      try {
        outcome = await attempt(request, fetch, timeoutMs);
      } catch (error) {
        // The caller does not want it any more.
        signal.throwIfAborted();
        outcome = {
          finish: () => {
            throw new NoAnswer(request, made, error);
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

async function attempt(
  request: Request,
  fetch: Fetch,
  timeoutMs: number,
): Promise<Outcome & { finish: () => Response }> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(new Request(request.clone(), { signal }));
  const { status, headers } = response;
  const text = await response.text();
  const outcome = { status, retryAfter: secondsFrom(headers.get('Retry-After'), Date.now()) };
  const unexpected = (what: string) => ({
    ...outcome,
    finish: () => {
      throw new UnexpectedAnswer(what, request, status, text);
    },
  });
  // A followed redirect would turn a POST into a GET, whose answer would be taken for the other's.
  if (status < 200 || (status >= 300 && status < 400))
    return unexpected('it leads elsewhere, and this client does not follow.');
  const body = json(headers.get('Content-Type'), text);
  if (body === undefined) return unexpected(`${status}, and not in JSON.`);
  const finish = () => new Response(text, { status, headers });
  if (response.ok) return { ...outcome, finish };
  if (!isErrorBody(status, body)) return unexpected(`${status}, and not in the form of our errors.`);
  return { ...outcome, code: body.code, finish };
}

function json(type: string | null, text: string): unknown {
  if (!/^application\/json\b/i.test(type ?? '')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ends early, with its reason, where the signal is aborted. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      done();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
