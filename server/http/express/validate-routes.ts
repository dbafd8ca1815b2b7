import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptRequest } from '../../contract/accept-request.ts';
import { serializeError } from '../../contract/error-response.ts';
import { ApiError, type ErrorFormat, type ErrorResponse, PipelineError } from '../../contract/errors.ts';
import type { Exchange, ValidatedInput, ValidatedResponse } from '../../contract/exchange.ts';
import type { CompiledOperation } from '../../contract/operation.ts';
import { operationsOf } from '../../contract/operations.ts';
import { documentedStatus } from '../../contract/validate-response.ts';
import { captureResponse, discardResponse, headersOf, sendInstead } from './capture-response.ts';
import { ContractError } from './contract-error.ts';
import { convertParams } from './convert-params.ts';
import { createRequestMatcher } from './match-request.ts';
import { type ContractMiddleware, type PipelineOptions, sendOptions, startExchange } from './pipeline.ts';
import { httpSourceFor } from './read-body.ts';
import { rememberJson } from './sent-json.ts';
import { mediaTypeOf, pageOfExpress, problemIn, problemInHead } from './written-response.ts';

/** A response that does not conform to the contract. */
export interface InvalidResponse {
  operation: string;
  status: number;
  /** The violations, by location, without values of the response. */
  message: string;
  /** The beginning of an error response that was not sent: the client gets none of its details. */
  withheld?: string;
}

export interface RouteOptions {
  /**
   * What happens to a response that does not conform to the contract. `fail` (default) passes an error to `next` instead.
   * If the response of the error handler does not conform either, the client gets a 500 in the format of `errors`. The
   * others send the response, for applications whose responses may not conform yet: `count` adds to `invalidResponses` of
   * the middleware, and a function is called. If the function throws, its error goes to `next` instead of the response.
   * `fail` and `log` write a line of JSON to standard error. `off` validates none.
   */
  onInvalidResponse?: 'fail' | 'log' | 'count' | 'off' | ((response: InvalidResponse) => void) | undefined;
  /** Maximum size of a validated response, in bytes (default: 1 MiB). Larger responses are sent without validation. */
  responseLimit?: number | undefined;
  /**
   * IDs of operations whose request bodies are left unread for the route, unless other middleware has read them: uploads
   * that multer or the route streams. Credentials, parameters and the media type are validated, the body is not.
   */
  unreadBodies?: readonly string[] | undefined;
}

/** Middleware that validates the responses of routes. */
export interface RouteMiddleware extends ContractMiddleware {
  /** How often each violation occurred (`getBook 200: …`), for `onInvalidResponse: 'count'`. */
  invalidResponses: ReadonlyMap<string, number>;
}

type Options<Caller> = Pick<
  PipelineOptions<Caller>,
  | 'contract'
  | 'errors'
  | 'authenticate'
  | 'securitySchemes'
  | 'addressOf'
  | 'checks'
  | 'bodyLimit'
  | 'observe'
  | 'ignore'
> &
  RouteOptions;

/**
 * Creates middleware to mount before the routes of an Express application. It validates requests, calls the next route
 * with the validated body and query, and validates the status, the documented headers and the body that the route sends.
 * Errors go to `next`. Paths that the contract does not document get 404, unless they are outside those of its servers,
 * or `ignore` selects them.
 */
export function validateRoutes<Caller>(options: Options<Caller>): RouteMiddleware {
  const { errors, onInvalidResponse = 'fail', responseLimit = 1_048_576, observe } = options;
  const { unreadBodies = [] } = options;
  const operations = operationsOf(options.contract);
  for (const id of unreadBodies)
    if (!operations.some((operation) => operation.id === id && operation.requestTypes.length > 0))
      throw new Error(
        `unreadBodies names ${id}, but the contract has no operation with this ID and a body. Correct the ID.`,
      );
  const source = httpSourceFor(new Set(unreadBodies));
  const decide = createRequestMatcher(operations, true, options);
  const invalidResponses = new Map<string, number>();
  const report = reporterFor(onInvalidResponse, invalidResponses);
  const mayWithhold = onInvalidResponse === 'fail' || typeof onInvalidResponse === 'function';

  const middleware: ContractMiddleware = async (req, res, next = () => {}) => {
    const decision = decide(req);
    if (decision.kind === 'pass') return next();
    if (decision.kind === 'options') return sendOptions(res, decision.allow);
    if (decision.kind === 'refuse') return next(reject(res, decision.error));
    const { match } = decision;
    const exchange = startExchange<Caller>(req, res, match.operation);
    const { operation } = match;
    /** The error that replaces an invalid response of the error handlers; undefined before they are called. */
    let failure: ErrorResponse | undefined;
    let rejection: unknown;
    let isReported = false;
    try {
      const { input } = await acceptRequest(exchange, match, options, source);
      handOver(req, input, exchange);
    } catch (error) {
      failure = errorResponseOf(error, operation);
      rejection = reject(res, error, failure);
      failure ??= errors.respond('internalError', {}, operation);
    }
    // Nobody looks at the response.
    if (!operation || (onInvalidResponse === 'off' && !observe)) return next(rejection);
    const headersBefore = mayWithhold ? headersOf(res) : {};
    /** Returns whether to send the response. If not, the error handlers of the application respond, or this does. */
    const accept = (violation: string | undefined, body?: string | Buffer): boolean => {
      if (violation === undefined) {
        observe?.(exchange, sentResponse(res, body?.toString()));
        return true;
      }
      const { statusCode: status } = res;
      const isSent = onInvalidResponse !== 'fail';
      const page = failure ? undefined : pageOfExpress(res, body);
      const message = page === 'unanswered' ? 'no route has answered' : violation;
      // Behind the page of Express, `next` would reach no error handler.
      const isOwnError = (status >= 500 && isUndocumented(operation, res)) || (page !== undefined && !isSent);
      const withheld = isOwnError && !isSent ? { withheld: beginningOf(res, body) } : {};
      // The error handlers had responded already, so Express has sent its page instead.
      if (isReported && failure && pageOfExpress(res, body) !== undefined) {
        discardResponse(res, headersBefore);
        return sendError(res, errors, failure);
      }
      let reportError: unknown;
      try {
        report({ operation: operation.id, status, message, ...withheld });
        if (isSent) return true;
        isReported = true;
      } catch (error) {
        reportError = error;
      }
      discardResponse(res, headersBefore);
      // The error handlers have responded to an error of the application, and would send this status again.
      if (isOwnError) failure ??= errors.respond('internalError', {}, operation);
      if (failure) return sendError(res, errors, failure);
      failure = errors.respond('invalidResponse', {}, operation);
      const which = `The response of ${operation.id} with status ${status} violates the contract: ${message}`;
      next(
        reportError ?? new ContractError(errors.respond('invalidResponse', { message: which }, operation)),
      );
      return false;
    };
    const valueSent = rememberJson(res);
    // Middleware such as express-session adds headers when `writeHead` is called, after the validation.
    const isWrapped = Object.hasOwn(res, 'writeHead');
    const isComplete = () => !isWrapped && res.writeHead === writeHead;
    captureResponse(res, {
      limit: responseLimit,
      isStream: () => mediaTypeOf(res).startsWith('text/event-stream'),
      onStream() {
        const message = problemInHead(operation, res, isComplete());
        return (message === undefined || onInvalidResponse !== 'fail') && accept(message);
      },
      onTooLarge: (isDiscarded) =>
        accept(
          problemInHead(operation, res, isComplete()) ??
            (isDiscarded ? 'its status was set too late' : undefined),
        ),
      onEnd(body) {
        const message =
          rejection !== undefined && isUndocumented(operation, res)
            ? undefined
            : problemIn(operation, res, body, responseLimit, isComplete(), valueSent(body));
        return accept(message, body);
      },
    });
    const { writeHead } = res;
    next(rejection);
  };
  return Object.assign(middleware, { invalidResponses });

  /** Sets the headers of an error, such as `Allow`, because error handlers rarely do. @returns the error for `next` */
  function reject(res: ServerResponse, error: unknown, response = errorResponseOf(error)): unknown {
    for (const [name, value] of Object.entries(response?.headers ?? {})) res.setHeader(name, value);
    if (response) return new ContractError(response);
    // For undefined, null or 'route', Express would call the next route.
    return Object(error) === error
      ? error
      : new Error(`authenticate or a check has thrown ${String(error)}.`);
  }

  function errorResponseOf(error: unknown, operation?: CompiledOperation): ErrorResponse | undefined {
    if (error instanceof PipelineError) return errors.respond(error.kind, error.details, operation);
    return error instanceof ApiError ? error.errorResponse : undefined;
  }
}

/** Number of different violations that are counted. Messages can contain names that a route has chosen. */
const maxCountedViolations = 1_000;

/** Returns what is called with an invalid response. */
function reporterFor(
  setting: NonNullable<RouteOptions['onInvalidResponse']>,
  counts: Map<string, number>,
): (response: InvalidResponse) => void {
  if (typeof setting === 'function') return setting;
  if (setting === 'log' || setting === 'fail')
    return (response) =>
      process.stderr.write(`${JSON.stringify({ msg: 'invalid response', ...response })}\n`);
  if (setting === 'off') return () => {};
  return ({ operation, status, message }) => {
    const key = `${operation} ${status}: ${message}`;
    if (counts.has(key) || counts.size < maxCountedViolations) counts.set(key, (counts.get(key) ?? 0) + 1);
  };
}

/** Not every contract documents the errors of requests that reach no route. */
const isUndocumented = ({ responses }: CompiledOperation, res: ServerResponse): boolean =>
  documentedStatus(responses, res.statusCode) === undefined;

/** Maximum number of characters of a response that are logged. */
const maxLogged = 1_000;

const beginningOf = (res: ServerResponse, body: string | Buffer = ''): string =>
  res.hasHeader('content-encoding') ? '(encoded)' : body.toString().slice(0, maxLogged);

const sentResponse = (res: ServerResponse, body = ''): ValidatedResponse => ({
  status: res.statusCode,
  headers: Object.fromEntries(Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)])),
  payload: body || undefined,
});

/**
 * Sets the validated values on a request: `body`, `query`, `params`, and all of them as `contract`. `query` must be
 * redefined, because Express defines it on its prototype, without a setter.
 */
function handOver(
  req: IncomingMessage,
  input: ValidatedInput,
  { caller, requestId }: Pick<Exchange<unknown>, 'caller' | 'requestId'>,
): void {
  const value = { writable: true, configurable: true, enumerable: true };
  Object.defineProperty(req, 'query', { ...value, value: input.query });
  Object.assign(req, { contract: { ...input, caller, requestId } });
  convertParams(req, input.path);
  // Without a documented body, the property keeps the value that a parser in front has set.
  if (input.body !== undefined) Object.assign(req, { body: input.body });
  // The body parsers of Express 4 read the body again without this mark.
  if (req.readableEnded) Object.assign(req, { _body: true });
}

/** Sends an error in the format of the contract, because the error handlers have not. */
function sendError(res: ServerResponse, errors: ErrorFormat, response: ErrorResponse): false {
  const { mediaType, payload } = serializeError(response, errors);
  res.statusCode = response.status;
  res.setHeaders(new Map(Object.entries({ ...response.headers, 'Content-Type': mediaType })));
  sendInstead(res, payload);
  return false;
}
