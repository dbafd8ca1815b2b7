import {
  ApiError,
  type ErrorDetails,
  type ErrorFormat,
  type ErrorKind,
  type ErrorResponse,
  PipelineError,
} from './errors.ts';
import type { RequestState, ValidatedResponse } from './exchange.ts';
import { isJson } from './media-type.ts';
import { compiledValidation, type MessageValidation } from './message-validation.ts';
import { ResponseValidationError } from './validate-response.ts';

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
  state: RequestState<unknown>,
  {
    errors,
    mapError,
    onError,
    validation = compiledValidation,
  }: {
    errors: ErrorFormat;
    mapError: ErrorMapper;
    onError: ErrorReporter;
    validation?: MessageValidation | undefined;
  },
): ValidatedResponse {
  const report = (cause: unknown) =>
    onError({ requestId: state.requestId, operation: state.operation?.id, error: cause });
  const respond = (kind: ErrorKind, details?: ErrorDetails) => errors.respond(kind, details, state.operation);
  const response = responseTo(error, respond, mapError);
  // Errors that were thrown on purpose, such as 503 under overload, are not internal errors. `onResponse` gets their
  // status.
  if (response.status >= 500 && !(error instanceof ApiError || error instanceof PipelineError)) report(error);
  // Only errors that a handler has chosen must be documented.
  const isOwn = !(error instanceof ApiError);
  try {
    return format(response, isOwn ? { ...state, handlerCalled: false } : state, errors, validation);
  } catch (invalid) {
    report(invalid);
    return format(respond('invalidResponse'), { ...state, handlerCalled: false }, errors, validation);
  }
}

/**
 * Serializes an error response.
 * @throws ResponseValidationError if a handler returns an error response that its operation does not document
 */
function format(
  response: ErrorResponse,
  { operation, handlerCalled, headers: supplied, req }: RequestState<unknown>,
  errors: ErrorFormat,
  validation: MessageValidation,
): ValidatedResponse {
  const { status, headers } = response;
  const { body, mediaType, payload } = serializeError(response, errors);
  // Errors before the handler is called are not validated, because not every contract documents them.
  if (operation && handlerCalled)
    return validation.validateResponse(
      operation,
      { status, headers, body, ...(response.content ? { mediaType } : {}) },
      supplied,
      undefined,
      req,
    );
  return {
    status,
    headers: { ...supplied, ...headers, 'Content-Type': mediaType },
    payload,
  };
}

/** Returns the body of an error response as a value and as text, and its media type. */
export function serializeError(
  response: ErrorResponse,
  errors: ErrorFormat,
): { body: unknown; mediaType: string; payload: string } {
  const { mediaType, body } = response.content ?? {
    mediaType: errors.mediaType ?? 'application/json',
    body: errors.body(response),
  };
  return { body, mediaType, payload: isJson(mediaType) ? JSON.stringify(body) : String(body) };
}

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
