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
  /** The changed values; undefined if the scenario did not apply. */
  changed: readonly string[] | undefined;
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
