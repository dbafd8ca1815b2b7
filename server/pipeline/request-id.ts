import { randomUUID } from 'node:crypto';

/** The name of a request: the caller's, where it is fit to be logged and sent back, else one of ours (D27). */
export function readRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : randomUUID();
}
