/** Why no answer came. `forbidden`: the address may not be called (D48). */
export type FailureReason = 'timeout' | 'connection' | 'forbidden' | 'secret';

/** How one call went. */
export interface Attempt {
  /** When it began, in milliseconds since 1970. */
  at: number;
  /** How long it took. */
  ms: number;
  status?: number;
  /** What `Retry-After` asks for, in milliseconds. */
  retryAfterMs?: number;
  /** The beginning of the response's body; stored under this name in the delivery's log. */
  answer?: string;
  problem?: FailureReason;
  /** What went wrong, for the operator. */
  message?: string;
}

/** How much of an answer is kept, in bytes. */
export const maxStoredBytes = 1_024;

export const isSuccess = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300;

/** In a word, for figures: `2xx` to `5xx`, or why there was no answer. */
export const outcomeOf = ({ status, problem = 'connection' }: Attempt): string =>
  status === undefined ? problem : `${Math.floor(status / 100)}xx`;

// With the answers they are some kilobytes a delivery.
const keptAttempts = 20;

/** One attempt, as the log of a delivery tells of it. */
export interface LoggedAttempt extends Omit<Attempt, 'at' | 'retryAfterMs'> {
  at: string;
}

/** A delivery's log with one attempt more. */
export function logged(log: string, { at, retryAfterMs: _obeyed, ...attempt }: Attempt): string {
  const before: unknown[] = JSON.parse(log);
  const entry: LoggedAttempt = { at: new Date(at).toISOString(), ...attempt };
  return JSON.stringify([...before, entry].slice(-keptAttempts));
}
