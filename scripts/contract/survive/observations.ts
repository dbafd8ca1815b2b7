import type { CommandResult } from './run-command.ts';

/** A request as it arrived. */
export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** Without those that concern only the connection. */
  headers: readonly [name: string, value: string][];
  body: Uint8Array<ArrayBuffer>;
}

/** A request that the tests sent, and the response to it. */
export interface ObservedRequest {
  received: ReceivedRequest;
  /** The ID of the operation. */
  operation: string | undefined;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body as it was sent, at most the first 2,000 characters. */
  sent: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The client's port: requests with the same one are from the same process. */
  port: number | undefined;
  /** Equal for requests with the same method, URL and body. */
  key: string;
  method: string;
  /** Path and query. */
  url: string;
  /** Whether a repetition is safe: the method is idempotent, or the request has an Idempotency-Key. */
  isRepeatable: boolean;
  /** Whether the contract allows the request. */
  isValid: boolean;
  /** The parsed JSON body; undefined if it has another form, or did not arrive whole. */
  body: unknown;
  /** The parsed JSON body without the scenario. */
  usualBody: unknown;
}

/** The argument of `survived`. */
export interface ReportedResult {
  /** The number of requests before the report. */
  after: number;
  value?: unknown;
  error?: { name: string; message: string; details: unknown };
  /** Whether the value should have all items of a list with several pages. */
  isComplete: boolean;
}

/** The requests and results of a run with one scenario. */
export interface Observations {
  requests: readonly ObservedRequest[];
  results: readonly ReportedResult[];
  command: CommandResult;
}

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
