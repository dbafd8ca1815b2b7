import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AcceptOptions, acceptRequest } from './accept-request.ts';
import { isPublic } from './authorize.ts';
import { compileContract } from './eov/validator.ts';
import { type ErrorMapper, type ErrorReporter, toErrorResponse } from './error-response.ts';
import { ApiError, type ErrorFormat, type ErrorResponse, overloadDetails, PipelineError } from './errors.ts';
import type { Exchange, HandlerResponse, ValidatedInput, ValidatedResponse } from './exchange.ts';
import type { CompiledOperation, ContractDocument } from './operation.ts';
import { readRequestId } from './request-id.ts';
import { createRouter, type RouteMatch } from './router.ts';
import { sendResponse } from './send-response.ts';
import { type MakeEntityTag, validateResponse } from './validate-response.ts';

export interface PipelineOptions<Caller> extends AcceptOptions<Caller> {
  /** The bundled contract. */
  document: ContractDocument;
  errors: ErrorFormat;
  /** Rejects requests under overload. */
  concurrencyLimiter?: ConcurrencyLimiter<Caller>;
  respond: (
    operation: CompiledOperation,
    input: ValidatedInput & { caller: Caller | undefined; requestId: string },
    request: IncomingMessage,
  ) => Promise<HandlerResponse | ErrorResponse>;
  /** Makes the ETag of a response if one is documented and the handler has set none. */
  entityTag?: MakeEntityTag;
  mapError?: ErrorMapper;
  onError?: ErrorReporter;
  onResponse?: (record: RequestLogRecord<Caller>) => void;
  /** Called with every exchange, message content included: for tests that record coverage. */
  observe?: ((exchange: Exchange<Caller>, response: ValidatedResponse) => void) | undefined;
}

/** Decides whether there is capacity for a request. Rejected requests get 503. */
export interface ConcurrencyLimiter<Caller> {
  /** Called when a request has arrived completely. If it returns true, `release` follows with the same caller. */
  acquire(caller: Caller | undefined): boolean;
  release(caller: Caller | undefined): void;
}

/** The log record of a request. */
export interface RequestLogRecord<Caller> {
  requestId: string;
  operation: string | undefined;
  method: string;
  status: number;
  durationMs: number;
  caller: Caller | undefined;
}

/** Express middleware, which also works as a listener of an HTTP server. */
export type ContractMiddleware = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>;

/**
 * Creates the pipeline, which turns requests into responses, for any contract. Mount it with `app.use`, at the root or
 * under a path. It calls `next` for paths that are not in the contract, and for HEAD and OPTIONS if the contract does
 * not have them. Without `next` it responds to these requests with an error.
 */
export async function createPipeline<Caller>(options: PipelineOptions<Caller>): Promise<ContractMiddleware> {
  const operations = await compileContract(options.document);
  const anySecured = operations.some((operation) => !isPublic(operation.security));
  const matchOf = createRouter(operations);
  const respond = createResponder(options);
  return async (req, res, next) => {
    const match = matchOf(req);
    if (next && isLeftToOthers(match, req)) return next();
    const exchange = startExchange<Caller>(req, res, match.operation);
    await respond(exchange, handleRequest(exchange, match, anySecured, options));
  };
}

/** Creates an Express error handler that responds to errors of other middleware as if a handler had thrown them. */
export function createErrorHandler<Caller>(options: ResponderOptions<Caller>) {
  const respond = createResponder(options);
  return (error: unknown, req: IncomingMessage, res: ServerResponse, _next: unknown): void => {
    if (!res.headersSent) void respond(startExchange(req, res, undefined), Promise.reject(error));
    else {
      res.destroy();
      options.onError?.({
        requestId: readRequestId(req.headers['x-request-id']),
        operation: undefined,
        error,
      });
    }
  };
}

type ResponderOptions<Caller> = Pick<
  PipelineOptions<Caller>,
  'errors' | 'mapError' | 'onError' | 'onResponse' | 'observe'
>;

/** Creates a function that sends the response (an error response if `pending` rejects), then calls `onResponse`. */
function createResponder<Caller>({
  errors,
  mapError = () => undefined,
  onError = () => {},
  onResponse = () => {},
  observe,
}: ResponderOptions<Caller>) {
  return async (exchange: Exchange<Caller>, pending: Promise<ValidatedResponse>): Promise<void> => {
    const { req, res, requestId, operation } = exchange;
    const response = await pending.catch((error: unknown) =>
      toErrorResponse(error, exchange, { errors, mapError, onError }),
    );
    try {
      sendResponse(req, res, response);
      observe?.(exchange, response);
      onResponse({
        requestId,
        operation: operation?.id,
        method: req.method ?? '',
        status: response.status,
        durationMs: performance.now() - exchange.startedAt,
        caller: exchange.caller,
      });
    } catch (error) {
      // The response cannot be completed, so the connection is closed.
      if (!res.writableEnded) res.destroy();
      onError({ requestId, operation: operation?.id, error });
    }
  };
}

const isLeftToOthers = ({ error }: RouteMatch, { method }: IncomingMessage): boolean =>
  error !== undefined && (error.kind === 'pathNotFound' || method === 'HEAD' || method === 'OPTIONS');

/** Creates the exchange of a request and starts its timer. */
export function startExchange<Caller>(
  req: IncomingMessage,
  res: ServerResponse,
  operation: CompiledOperation | undefined,
): Exchange<Caller> {
  const requestId = readRequestId(req.headers['x-request-id']);
  return {
    req,
    res,
    requestId,
    startedAt: performance.now(),
    operation,
    caller: undefined,
    handlerCalled: false,
    input: undefined,
    headers: { ...operation?.deprecationHeaders, 'X-Request-Id': requestId },
  };
}

async function handleRequest<Caller>(
  exchange: Exchange<Caller>,
  match: RouteMatch,
  anySecured: boolean,
  options: PipelineOptions<Caller>,
) {
  const { concurrencyLimiter, respond, entityTag } = options;
  const { operation, input } = await acceptRequest(exchange, match, anySecured, options);
  if (concurrencyLimiter?.acquire(exchange.caller) === false)
    throw new PipelineError('unavailable', overloadDetails);
  exchange.handlerCalled = true;
  let given: HandlerResponse | ErrorResponse;
  try {
    given = await respond(
      operation,
      { ...input, caller: exchange.caller, requestId: exchange.requestId },
      exchange.req,
    );
  } finally {
    concurrencyLimiter?.release(exchange.caller);
  }
  if ('errorName' in given) throw new ApiError(given);
  return validateResponse(operation, given, exchange.headers, entityTag);
}
