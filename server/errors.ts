import type { components } from '../generated/types.ts';
import { ApiError, type ErrorDetails, type ErrorFormat, type ErrorResponse } from './contract/errors.ts';
import { describeFieldErrors, type FieldError } from './lib/field-error.ts';

interface ErrorDefinition {
  status: number;
  /** The status code followed by two digits (D25). */
  code: components['schemas']['ErrorCode'];
  message: string;
}

/** Every error of the API. A test checks that the guide on errors lists exactly these codes and statuses. */
export const errorCatalog = {
  malformedRequest: {
    status: 400,
    code: 40001,
    message: 'The request cannot be parsed: its JSON, percent-encoding or HTTP is invalid.',
  },
  tokenMissing: { status: 401, code: 40101, message: 'Send a token: Authorization: Bearer …' },
  tokenUnknown: { status: 401, code: 40102, message: 'The token is unknown. Check it for typing errors.' },
  tokenExpired: {
    status: 401,
    code: 40103,
    message: 'The token has expired. Ask the operator for a new one.',
  },
  tokenRevoked: {
    status: 401,
    code: 40104,
    message: 'The token was revoked. Ask the operator for a new one.',
  },
  scopeMissing: {
    status: 403,
    code: 40301,
    message: 'The token lacks a scope that this operation requires. Ask for a token with it.',
  },
  notFound: {
    status: 404,
    code: 40401,
    message: 'The resource does not exist in this company. Check its ID.',
  },
  pathNotFound: {
    status: 404,
    code: 40402,
    message: 'This path does not exist. Check its case and slashes.',
  },
  methodNotAllowed: {
    status: 405,
    code: 40501,
    message: 'This path does not support this method. See the Allow header.',
  },
  requestTimeout: {
    status: 408,
    code: 40801,
    message: 'The request took too long to arrive. Send it again.',
  },
  uniqueValueTaken: {
    status: 409,
    code: 40901,
    message: 'Another contact has this value of a unique field. Send another value.',
  },
  requestInProgress: {
    status: 409,
    code: 40902,
    message: 'A request with this Idempotency-Key is still in progress. Retry later.',
  },
  preconditionFailed: {
    status: 412,
    code: 41201,
    message: 'The resource was changed by another request. Read it again.',
  },
  bodyTooLarge: { status: 413, code: 41301, message: 'The body is too large. Send at most 1 MiB.' },
  unsupportedMediaType: {
    status: 415,
    code: 41501,
    message: 'The body must be JSON in UTF-8, without compression.',
  },
  validationFailed: {
    status: 422,
    code: 42201,
    message: 'The request violates the contract or a rule. See fields.',
  },
  idempotencyKeyReused: {
    status: 422,
    code: 42202,
    message: 'This Idempotency-Key was used for another request. Use a new key.',
  },
  addressNotAllowed: {
    status: 422,
    code: 42203,
    message: 'This URL is not allowed for a webhook. Use a public https URL.',
  },
  rateLimited: { status: 429, code: 42901, message: 'Too many requests. Wait as long as Retry-After says.' },
  headersTooLarge: { status: 431, code: 43101, message: 'The headers are too large. Send less than 16 KiB.' },
  internalError: {
    status: 500,
    code: 50001,
    message: 'An internal error occurred. Report the X-Request-Id.',
  },
  invalidResponse: {
    status: 500,
    code: 50002,
    message: 'The response did not match the contract and was withheld. Report the X-Request-Id.',
  },
  unavailable: {
    status: 503,
    code: 50301,
    message: 'The service is overloaded. Retry later.',
  },
  shuttingDown: {
    status: 503,
    code: 50302,
    message: 'The service is shutting down. Retry later.',
  },
  databaseUnavailable: {
    status: 503,
    code: 50303,
    message: 'The database is unavailable. Retry later.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorName = keyof typeof errorCatalog;

/** An error response from the catalog. */
export type CatalogError<Name extends ErrorName = ErrorName> = ErrorResponse<
  Name,
  (typeof errorCatalog)[Name]['status']
>;

/** Returns an error response from the catalog. `details` replaces its default message, fields and headers. */
export function errorResponse<Name extends ErrorName>(
  name: Name,
  details: ErrorDetails = {},
): CatalogError<Name> {
  const { status, message } = errorCatalog[name];
  return { errorName: name, status, message, fields: '', headers: {}, ...details };
}

/** Returns the body of an error response (section 2.6 of the specification). */
export const errorBody = ({ errorName, message, fields }: ErrorResponse) => ({
  code: errorCode(errorName),
  message,
  fields,
});

const codes = new Map<string, number>(Object.entries(errorCatalog).map(([name, { code }]) => [name, code]));

/** Returns the code of an error in the catalog, by its name. @throws Error for an unknown name */
export function errorCode(name: string): number {
  const code = codes.get(name);
  if (code === undefined) throw new Error(`There is no error ${name}.`);
  return code;
}

/** How this service formats the pipeline's errors. */
export const errorFormat: ErrorFormat = { respond: errorResponse, body: errorBody };

/** Returns the error of an operator command for a resource that the company does not have. */
export const notFoundError = (companyId: number, what: string, id: number): ApiError =>
  new ApiError(errorResponse('notFound', { message: `Company ${companyId} has no ${what} ${id}.` }));

export function throwApiError(...args: Parameters<typeof errorResponse>): never {
  throw new ApiError(errorResponse(...args));
}

/** Returns one error response for all invalid locations of a request. */
export const validationError = (errors: readonly FieldError[]): CatalogError<'validationFailed'> =>
  errorResponse('validationFailed', describeFieldErrors(errors));
