import type { SentMessage } from './observations.ts';

/** The mistakes of clients and receivers of events, the worst first: users do not notice a forgery or a wrong value. */
export const problemKinds = [
  'accepted forgery',
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
  /** The request whose response caused it, or the event, if it is known. */
  request?: SentMessage | undefined;
}
