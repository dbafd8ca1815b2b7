import type { FieldError } from '../lib/field-error.ts';
import type { CompiledOperation } from './operation.ts';

/** An error response before formatting: status code, headers and the contents of the body. */
export interface ErrorResponse<Name extends string = string, Status extends number = number> {
  /** The name of the error in the service. */
  errorName: Name;
  status: Status;
  message: string;
  /** The invalid locations of the request, joined by a comma and a space. */
  fields: string;
  headers: Record<string, string>;
  /** The invalid locations with their messages; without it, `message` is that of all `fields`. `body` also gets `path`. */
  violations?: readonly (FieldError & { path?: string })[];
  /** The body and its media type, if the error format has chosen them. Otherwise `ErrorFormat.body` makes the body. */
  content?: { mediaType: string; body: unknown } | undefined;
}

/** Thrown by any code that the pipeline calls, to end the request with an error response. */
export class ApiError extends Error {
  readonly errorResponse: ErrorResponse;
  constructor(response: ErrorResponse) {
    // An expected error's stack is not used. Recording it would take a fifth of the time of a rejected request.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(response.message);
    Error.stackTraceLimit = stackTraceLimit;
    this.errorResponse = response;
  }
}

/** The kinds of errors that the pipeline and the mock report themselves. */
export type ErrorKind =
  | 'malformedRequest'
  | 'tokenMissing'
  | 'tokenUnknown'
  | 'scopeMissing'
  | 'notFound'
  | 'pathNotFound'
  | 'methodNotAllowed'
  | 'bodyTooLarge'
  | 'unsupportedMediaType'
  | 'validationFailed'
  | 'internalError'
  | 'invalidResponse'
  | 'unavailable';

/** The parts of an error response that override the default of its kind. */
export type ErrorDetails = Partial<Pick<ErrorResponse, 'message' | 'fields' | 'headers' | 'violations'>>;

/** Creates and formats the error responses of a service. It is an option of the pipeline. */
export interface ErrorFormat {
  /**
   * Returns the error response for a kind of error. `operation` lets a format choose among the responses that the
   * operation documents. It is undefined if the request matches no operation.
   */
  respond: (kind: ErrorKind, details?: ErrorDetails, operation?: CompiledOperation) => ErrorResponse;
  /** Returns the JSON body of an error response. */
  body: (response: ErrorResponse) => unknown;
  /** The media type of bodies that `body` makes (default: `application/json`). */
  mediaType?: string;
}

/** An error that the pipeline reports itself; `ErrorFormat` turns it into a response. */
export class PipelineError extends Error {
  readonly kind: ErrorKind;
  readonly details: ErrorDetails;
  constructor(kind: ErrorKind, details: ErrorDetails = {}) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(details.message ?? kind);
    Error.stackTraceLimit = stackTraceLimit;
    this.kind = kind;
    this.details = details;
  }
}

/** Returns the invalid locations of an error response, each with its message and its `path` in `errors` of error handlers. */
export function listedErrors(response: ErrorResponse): (FieldError & { path: string })[] {
  const { message, fields, violations } = response;
  const found = violations ?? fields.split(', ').map((field) => ({ field, message }));
  return found
    .filter(({ field }) => field !== '')
    .map((each) => ({ ...each, path: pathOfField(each.field), message: each.message.replace(/\.$/, '') }));
}

/** Returns an invalid location as `errors` of error handlers have it: `/body/name`, `/query/page`. */
export const pathOfField = (field: string): string => (field.startsWith('/') ? `/body${field}` : `/${field}`);
