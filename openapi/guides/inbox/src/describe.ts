import { NoResponseError, ParleyError, UnexpectedResponseError } from 'parley-client';

/** Returns what to show to the user. */
export function describe(error: unknown): string {
  if (error instanceof NoResponseError) return 'You are offline, or the service is. Try again.';
  // Your server responds with 401 if the user's session has ended.
  if (error instanceof UnexpectedResponseError && error.status === 401) return 'Sign in again.';
  // A proxy responds for a service that is down.
  if (!(error instanceof ParleyError)) return 'The service does not respond. Try again later.';
  switch (error.code) {
    case 40101:
    case 40103:
      return 'The server has no valid API token. Tell its operator.';
    case 40401:
      return 'It does not exist any more.';
    case 40901:
      return 'Another contact has this value.';
    case 41201:
      return 'Another user changed it. Try again.';
    case 42201:
      return `Correct these fields: ${error.locations.join(', ')}`;
    case 42901:
      return `Too many requests. Wait ${error.retryAfter ?? 1} s.`;
    default:
      return `${error.message} (${error.requestId})`;
  }
}
