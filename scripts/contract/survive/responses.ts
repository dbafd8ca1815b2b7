import type { ObservedRequest } from './observations.ts';

/** Whether a client must not take a response for data: its status says so, or it is no JSON where JSON is documented. */
export const isErrorResponse = ({ status, headers }: Pick<ObservedRequest, 'status' | 'headers'>): boolean =>
  status >= 300 || /^text\/html/i.test(headers['content-type'] ?? '');

/** Returns the headers of a response, by name in lower case. */
export function headersOf({ headers }: Pick<Response, 'headers'>): Record<string, string> {
  const found: Record<string, string> = {};
  headers.forEach((value, name) => {
    found[name] = value;
  });
  return found;
}
