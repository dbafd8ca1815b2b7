import {
  ApiError,
  type ErrorDetails,
  type ErrorFormat,
  type ErrorKind,
  type ErrorResponse,
  PipelineError,
} from './errors.ts';
import type { Exchange, ValidatedResponse } from './exchange.ts';
import { isJson } from './media-type.ts';
import { ClientDisconnected } from './read-body.ts';
import { ResponseValidationError, validateResponse } from './validate-response.ts';

/** Called for each internal error, so that it can be logged. */
export type ErrorReporter = (error: {
  requestId: string;
  operation: string | undefined;
  error: unknown;
}) => void;

/** Returns the error response for another layer's error, such as an unavailable database. */
export type ErrorMapper = (error: unknown) => ErrorResponse | undefined;

/**
 * Converts the error that ended a request to a response.
 * @param error the thrown value; unknown errors become `internalError` and are reported
 */
export function toErrorResponse(
  error: unknown,
  exchange: Exchange<unknown>,
  { errors, mapError, onError }: { errors: ErrorFormat; mapError: ErrorMapper; onError: ErrorReporter },
): ValidatedResponse {
  const report = (cause: unknown) =>
    onError({ requestId: exchange.requestId, operation: exchange.operation?.id, error: cause });
  const respond = (kind: ErrorKind, details?: ErrorDetails) =>
    errors.respond(kind, details, exchange.operation);
  const response = hasDisconnected(exchange, error)
    ? respond('malformedRequest')
    : responseTo(error, respond, mapError);
  // Errors that were thrown on purpose, such as 503 under overload, are not internal errors. `onResponse` gets their
  // status.
  if (response.status >= 500 && !(error instanceof ApiError || error instanceof PipelineError)) report(error);
  try {
    return format(response, exchange, errors);
  } catch (invalid) {
    report(invalid);
    return format(respond('invalidResponse'), { ...exchange, handlerCalled: false }, errors);
  }
}

/**
 * Serializes an error response.
 * @throws ResponseValidationError if a handler returns an error response that its operation does not document
 */
function format(
  response: ErrorResponse,
  { operation, handlerCalled, headers: supplied }: Exchange<unknown>,
  errors: ErrorFormat,
): ValidatedResponse {
  const { status, headers } = response;
  const { mediaType, body } = response.content ?? {
    mediaType: errors.mediaType ?? 'application/json',
    body: errors.body(response),
  };
  // Errors before the handler is called are not validated, because not every contract documents them.
  if (operation && handlerCalled)
    return validateResponse(
      operation,
      { status, headers, body, ...(response.content ? { mediaType } : {}) },
      supplied,
    );
  return {
    status,
    headers: { ...supplied, ...headers, 'Content-Type': mediaType },
    payload: isJson(mediaType) ? JSON.stringify(body) : String(body),
  };
}

/**
 * Whether the client disconnected before its request had arrived completely. The client cannot receive a response, so
 * this is not reported as an internal error.
 */
const hasDisconnected = ({ req }: Exchange<unknown>, error: unknown): boolean =>
  error instanceof ClientDisconnected || (req.destroyed && !req.complete);

function responseTo(
  error: unknown,
  respond: (kind: ErrorKind, details?: ErrorDetails) => ErrorResponse,
  mapError: ErrorMapper,
): ErrorResponse {
  if (error instanceof ApiError) return error.errorResponse;
  if (error instanceof PipelineError) return respond(error.kind, error.details);
  if (error instanceof ResponseValidationError) return respond('invalidResponse');
  return mapError(error) ?? respond('internalError');
}
