import type { SentMessage } from './observations.ts';

/** What a client or a receiver of events did wrong, the worst first: nobody notices a forgery or a wrong value. */
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
