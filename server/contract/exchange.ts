import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CompiledOperation } from './operation.ts';
import { readRequestId } from './request-id.ts';

/** The parts of a request that the pipeline reads, besides the body. */
export type RequestHead = Pick<IncomingMessage, 'url' | 'method' | 'headers' | 'rawHeaders'>;

/** One request and its state so far, whether it came over HTTP or from the page that contains the mock. */
export interface RequestState<Caller> {
  req: RequestHead;
  requestId: string;
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

/** Returns the state of a request at its start. */
export function startState<Head extends RequestHead>(
  req: Head,
  operation: CompiledOperation | undefined,
): Omit<RequestState<never>, 'req'> & { req: Head } {
  const requestId = readRequestId(req.headers['x-request-id']);
  return {
    ...{ req, requestId, operation, caller: undefined, handlerCalled: false, input: undefined },
    headers: { ...operation?.deprecationHeaders, 'X-Request-Id': requestId },
  };
}

/** One HTTP request and its state so far. */
export interface Exchange<Caller> extends RequestState<Caller> {
  req: IncomingMessage;
  res: ServerResponse;
  /** A value of `performance.now()`, in milliseconds. */
  startedAt: number;
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
  /** The values of `Set-Cookie`, if there are several: each has a field line of its own (RFC 6265, section 3). */
  cookies?: string[];
  payload: string | Uint8Array | undefined;
}
