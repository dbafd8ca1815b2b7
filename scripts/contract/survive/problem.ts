import type { ObservedRequest } from './observations.ts';

/** The mistakes of clients, the worst first: users do not notice a wrong value. */
export const problemKinds = [
  'wrong value',
  'exception',
  'time-out',
  'wrong request',
  'early retry',
  'unsafe retry',
  'endless retries',
  'lost status',
] as const;

export type ProblemKind = (typeof problemKinds)[number];

export interface Problem {
  kind: ProblemKind;
  /** What happened, as a sentence. */
  message: string;
  /** The request whose response caused it, if it is known. */
  request?: ObservedRequest | undefined;
}
