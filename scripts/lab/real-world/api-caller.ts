import type { ApiReply, ApiRequest } from '../../simulate/service-process.ts';

// The timeout of a typical proxy.
const timeoutMs = 30_000;

/**
 * Creates a function that sends requests to each process in turn.
 * @param bases returns the URLs of the processes
 * @param statuses gets the status code of each response, and 0 for a request without one
 */
export function createApiCaller(bases: () => readonly string[], statuses: number[]) {
  let turn = 0;
  return async ({ method, url, token, headers, body }: ApiRequest): Promise<ApiReply | undefined> => {
    const all = bases();
    turn += 1;
    try {
      const response = await fetch(new URL(url, all[turn % all.length]), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      statuses.push(response.status);
      const [ETag, Link, total] = ['etag', 'link', 'x-total-count'].map((name) => response.headers.get(name));
      return { status: response.status, headers: { ETag, Link, 'X-Total-Count': total }, text };
    } catch {
      statuses.push(0);
      return undefined;
    }
  };
}
