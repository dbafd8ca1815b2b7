import type { ApiReply, ApiRequest } from '../../simulate/service-process.ts';

/** The outcome of one request. */
export interface RequestOutcome {
  /** Start and end, as values of `performance.now()`. */
  from: number;
  to: number;
  /** Status code; 0 if there was no response. */
  status: number;
}

// The timeout of a typical proxy.
const timeoutMs = 30_000;

/**
 * Creates a function that sends requests to each process in turn.
 * @param bases returns the URLs of the processes
 * @param outcomes gets the outcome of each request
 */
export function createApiCaller(bases: () => readonly string[], outcomes: RequestOutcome[]) {
  let turn = 0;
  return async ({ method, url, token, headers, body }: ApiRequest): Promise<ApiReply | undefined> => {
    const all = bases();
    turn += 1;
    const from = performance.now();
    const note = (status: number) => outcomes.push({ from, to: performance.now(), status });
    try {
      const response = await fetch(new URL(url, all[turn % all.length]), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      note(response.status);
      const [ETag, Link, total] = ['etag', 'link', 'x-total-count'].map((name) => response.headers.get(name));
      return { status: response.status, headers: { ETag, Link, 'X-Total-Count': total }, text };
    } catch {
      note(0);
      return undefined;
    }
  };
}
