import { ApiError, type ErrorResponse, errorBody, errorResponse } from '../errors.ts';
import type { Exchange, ValidatedResponse } from './exchange.ts';
import { ClientDisconnected } from './read-body.ts';
import { ResponseValidationError, validateResponse } from './validate-response.ts';

/** Told what nobody meant to happen, for the log. */
export type ErrorReporter = (error: {
  requestId: string;
  operation: string | undefined;
  error: unknown;
}) => void;

/** Errors of other layers that the table has a line for: a database that is away, say. */
export type ErrorMapper = (error: unknown) => ErrorResponse | undefined;

/** Turns whatever ended the work on a request into the answer of the error table. */
export function toErrorResponse(
  error: unknown,
  exchange: Exchange<unknown>,
  explain: ErrorMapper,
  report: ErrorReporter,
): ValidatedResponse {
  const fault = (what: unknown) =>
    report({ requestId: exchange.requestId, operation: exchange.operation?.id, error: what });
  const why = hasLeft(exchange, error) ? errorResponse('malformedRequest') : reasonOf(error, explain);
  // What is turned away on purpose, for there is too much, is no fault; it is counted by its status.
  if (why.status >= 500 && !(error instanceof ApiError)) fault(error);
  try {
    return answerOf(why, exchange);
  } catch (broken) {
    fault(broken);
    return answerOf(errorResponse('invalidResponse'), { ...exchange, handlerCalled: false });
  }
}

/** @throws ResponseValidationError where an operation refuses in a way that it does not document */
function answerOf(
  why: ErrorResponse,
  { operation, handlerCalled, headers: supplied }: Exchange<unknown>,
): ValidatedResponse {
  const response = { status: why.status, body: errorBody(why) };
  // What the pipeline itself refuses is told in our shape even where a contract of others has none for it.
  if (operation && handlerCalled)
    return validateResponse(operation, { ...response, headers: why.headers }, supplied);
  return {
    status: why.status,
    headers: { ...supplied, ...why.headers, 'Content-Type': 'application/json' },
    payload: JSON.stringify(response.body),
  };
}

/** The client hung up in the middle of its request: nobody reads the answer, and nothing is wrong here. */
const hasLeft = ({ req }: Exchange<unknown>, error: unknown): boolean =>
  error instanceof ClientDisconnected || (req.destroyed && !req.complete);

function reasonOf(error: unknown, explain: ErrorMapper): ErrorResponse {
  if (error instanceof ApiError) return error.errorResponse;
  if (error instanceof ResponseValidationError) return errorResponse('invalidResponse');
  return explain(error) ?? errorResponse('internalError');
}
