import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContractModule } from '../../contract/compiled-contract.ts';
import { type ErrorMapper, type ErrorReporter, toErrorResponse } from '../../contract/error-response.ts';
import { type ErrorFormat, PipelineError } from '../../contract/errors.ts';
import { type Exchange, startState, type ValidatedResponse } from '../../contract/exchange.ts';
import { type HandleOptions, handleRequest } from '../../contract/handle-request.ts';
import type { CompiledOperation } from '../../contract/operation.ts';
import { operationsOf } from '../../contract/operations.ts';
import { readRequestId } from '../../contract/request-id.ts';
import { createRouter } from '../../contract/router.ts';
import { createRequestMatcher, type Decision, type MatchOptions } from './match-request.ts';
import { ClientDisconnected, httpSource } from './read-body.ts';
import { sendResponse } from './send-response.ts';

export interface PipelineOptions<Caller> extends HandleOptions<Caller>, MatchOptions {
  contract: ContractModule;
  /** Whether HEAD reaches the operation of GET, without other middleware (default: no). */
  headAsGet?: boolean;
  /** Returns middleware that enforces an operation instead, or refuses a request for none: that in front of routes. */
  middlewareFor?: ((operation: CompiledOperation | undefined) => ContractMiddleware | undefined) | undefined;
  errors: ErrorFormat;
  mapError?: ErrorMapper;
  onError?: ErrorReporter;
  onResponse?: (record: RequestLogRecord<Caller>) => void;
  /** Called with every exchange, message content included: for tests that record coverage. */
  observe?: ((exchange: Exchange<Caller>, response: ValidatedResponse) => void) | undefined;
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
 * under a path. It calls `next` for paths outside those of the contract's servers, and for those that `ignore` selects.
 * Without `next` it responds to every request, and only the exact spelling of a path matches.
 */
export function createPipeline<Caller>(options: PipelineOptions<Caller>): ContractMiddleware {
  const operations = operationsOf(options.contract);
  const matchOf = createRouter(operations, options.headAsGet);
  const decide = createRequestMatcher(operations, options.middlewareFor !== undefined, options);
  const respond = createResponder(options);
  return async (req, res, next) => {
    const decision: Decision = next ? decide(req) : { kind: 'enforce', match: matchOf(req) };
    if (decision.kind === 'pass') return next?.();
    if (decision.kind === 'options') return sendOptions(res, decision.allow);
    const other = options.middlewareFor?.(decision.kind === 'enforce' ? decision.match.operation : undefined);
    if (other) return other(req, res, next);
    if (decision.kind === 'refuse')
      return respond(startExchange<Caller>(req, res, undefined), Promise.reject(decision.error));
    const { match } = decision;
    const exchange = startExchange<Caller>(req, res, match.operation);
    await respond(exchange, handleRequest(exchange, match, options, httpSource), next);
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
  'errors' | 'mapError' | 'onError' | 'onResponse' | 'observe' | 'validation'
>;

/** Creates a function that sends the response (an error response if `pending` rejects), then calls `onResponse`. */
function createResponder<Caller>({
  errors,
  mapError = () => undefined,
  onError = () => {},
  onResponse = () => {},
  observe,
  validation,
}: ResponderOptions<Caller>) {
  return async (
    exchange: Exchange<Caller>,
    pending: Promise<ValidatedResponse>,
    next?: (error: unknown) => void,
  ): Promise<void> => {
    const { req, res, requestId, operation } = exchange;
    const response = await pending.catch((error: unknown) => {
      if (next && !exchange.handlerCalled && hasOwnStatus(error)) return next(error);
      return toErrorResponse(
        hasDisconnected(exchange, error) ? new PipelineError('malformedRequest') : error,
        exchange,
        { errors, mapError, onError, validation },
      );
    });
    if (!response) return;
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

/** Responds to OPTIONS on a path that does not document it. @param allow the methods of the path */
export function sendOptions(res: ServerResponse, allow: string): void {
  res.writeHead(204, { Allow: allow }).end();
}

/** Creates the exchange of a request and starts its timer. */
export function startExchange<Caller>(
  req: IncomingMessage,
  res: ServerResponse,
  operation: CompiledOperation | undefined,
): Exchange<Caller> {
  return Object.assign(startState(req, operation), { res, startedAt: performance.now() });
}

/** Whether the application has chosen the status of an error, as `authenticate` may: its error handlers respond to it. */
const hasOwnStatus = (error: unknown): boolean => typeof Object(error).status === 'number';

/**
 * Whether the client disconnected before its request had arrived completely. The client cannot receive a response, so
 * this is not reported as an internal error.
 */
const hasDisconnected = ({ req }: Exchange<unknown>, error: unknown): boolean =>
  error instanceof ClientDisconnected || (req.destroyed && !req.complete);
