import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CompiledOperation } from './operation.ts';

/** One request and its state so far. */
export interface Exchange<Caller> {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** A value of `performance.now()`, in milliseconds. */
  startedAt: number;
  /** Undefined if the request matches no operation. */
  operation: CompiledOperation | undefined;
  caller: Caller | undefined;
  /** Whether the handler was called. If so, error responses are validated too: the operation must document them. */
  handlerCalled: boolean;
  /** The validated input; undefined until validation has succeeded. */
  input: ValidatedInput | undefined;
  /** Headers that every response to this request carries. */
  headers: Record<string, string>;
}

/** The input of any handler. `handler-types.ts` has the exact type for each operation. */
export interface ValidatedInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  /** The documented headers, by name in lower case. */
  headers: Record<string, unknown>;
  body: unknown;
}

/** The response of any handler. `handler-types.ts` has the exact type for each operation. */
export interface HandlerResponse {
  status: number;
  headers?: Record<string, unknown>;
  body?: unknown;
  /** Default: the only documented media type, or else the first one that is JSON. */
  mediaType?: string;
}

/** A validated response, ready to be sent. */
export interface ValidatedResponse {
  status: number;
  headers: Record<string, string>;
  payload: string | Uint8Array | undefined;
}
