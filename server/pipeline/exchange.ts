import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CompiledOperation } from './operation.ts';

/** One request and what has become of it so far. */
export interface Exchange<Caller> {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** As `performance.now()` counts, in milliseconds. */
  startedAt: number;
  /** Undefined where no operation of the contract is meant. */
  operation: CompiledOperation | undefined;
  caller: Caller | undefined;
  /** Whether the operation's own answer has been asked for: from then on only what it documents goes out. */
  handlerCalled: boolean;
  /** What the request holds, from when it has been checked. */
  input: ValidatedInput | undefined;
  /** Headers that every answer of this exchange carries. */
  headers: Record<string, string>;
}

/** What a handler is given, before types narrow it. */
export interface ValidatedInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  /** The documented ones, by name in lower case. */
  headers: Record<string, unknown>;
  body: unknown;
}

/** What a handler gives back, before types narrow it. */
export interface HandlerResponse {
  status: number;
  headers?: Record<string, unknown>;
  body?: unknown;
  /** Needed only where the contract offers several. */
  mediaType?: string;
}

/** An answer that has passed the check, as it goes out. */
export interface ValidatedResponse {
  status: number;
  headers: Record<string, string>;
  payload: string | Uint8Array | undefined;
}
