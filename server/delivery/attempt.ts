/**
 * The reason why an attempt got no response. `forbidden`: the egress policy denies the address (D48). `secret`: the
 * webhook's secret cannot be used. `withdrawn`: nothing was sent, because the delivery must no longer be sent, or the claim
 * could not be checked in time.
 */
export type FailureReason = 'timeout' | 'connection' | 'forbidden' | 'secret' | 'withdrawn';

/** The result of one attempt. */
export interface Attempt {
  /** Start, in milliseconds since 1970. */
  at: number;
  /** Duration in milliseconds. */
  ms: number;
  status?: number;
  /** The delay that `Retry-After` asks for, in milliseconds. */
  retryAfterMs?: number;
  /** The first bytes of the response body, stored under this name in the delivery's log. */
  answer?: string;
  problem?: FailureReason;
  /** The error, for the operator. */
  message?: string;
}

/** Maximum size of a stored response body, in bytes. */
export const maxStoredBytes = 1_024;

export const isSuccess = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300;

/** Returns the outcome as a metric label: `2xx` to `5xx`, or the failure reason. */
export const outcomeOf = ({ status, problem = 'connection' }: Attempt): string =>
  status === undefined ? problem : `${Math.floor(status / 100)}xx`;

// Maximum number of attempts in a delivery's log. With response bodies, they take a few kilobytes.
const keptAttempts = 20;

/** An attempt in the log of a delivery. */
export interface LoggedAttempt extends Omit<Attempt, 'at' | 'retryAfterMs'> {
  at: string;
}

/** Appends an attempt to a delivery's log, and keeps only the last `keptAttempts` attempts. */
export function logged(log: string, { at, retryAfterMs: _obeyed, ...attempt }: Attempt): string {
  const before: unknown[] = JSON.parse(log);
  const entry: LoggedAttempt = { at: new Date(at).toISOString(), ...attempt };
  return JSON.stringify([...before, entry].slice(-keptAttempts));
}
