import { enumNames } from '../generated/enums.ts';
import { ApiError, type ErrorDetails, type ErrorFormat, type ErrorResponse } from './contract/errors.ts';
import { describeFieldErrors, type FieldError } from './lib/field-error.ts';

type Names = (typeof enumNames)['ErrorCode'];

/** The name of an error in the contract. */
export type ErrorName = Names[keyof Names];

/** The status of a code: its first three digits (D25). */
type StatusOf<Code> = Code extends `${infer A}${infer B}${infer C}${infer _Cause}`
  ? `${A}${B}${C}` extends `${infer Status extends number}`
    ? Status
    : never
  : never;

type CodeOf<Name extends ErrorName> = {
  [Code in keyof Names]: Names[Code] extends Name ? Code : never;
}[keyof Names];

/** The default message of every error of the contract: what it means, and what a client does about it. */
export const errorMessages: Readonly<Record<ErrorName, string>> = {
  malformedRequest: 'The request cannot be parsed: its JSON, percent-encoding or HTTP is invalid.',
  tokenMissing: 'Send a token: Authorization: Bearer …',
  tokenUnknown: 'The token is unknown. Check it for typing errors.',
  tokenExpired: 'The token has expired. Ask the operator for a new one.',
  tokenRevoked: 'The token was revoked. Ask the operator for a new one.',
  scopeMissing: 'The token lacks a scope that this operation requires. Ask for a token with it.',
  notFound: 'The resource does not exist in this company. Check its ID.',
  pathNotFound: 'This path does not exist. Check its case and slashes.',
  methodNotAllowed: 'This path does not support this method. See the Allow header.',
  requestTimeout: 'The request took too long to arrive. Send it again.',
  uniqueValueTaken: 'Another resource has this unique value. Send another value.',
  requestInProgress: 'A request with this Idempotency-Key is still in progress. Retry later.',
  preconditionFailed: 'The resource was changed by another request. Read it again.',
  bodyTooLarge: 'The body is too large. Send at most 1 MiB.',
  unsupportedMediaType: 'The body must be JSON in UTF-8, without compression.',
  validationFailed: 'The request violates the contract or a rule. See fields.',
  idempotencyKeyReused: 'This Idempotency-Key was used for another request. Use a new key.',
  addressNotAllowed: 'This URL is not allowed for a webhook. Use a public https URL.',
  rateLimited: 'Too many requests. Wait as long as Retry-After says.',
  headersTooLarge: 'The headers are too large. Send less than 16 KiB.',
  internalError: 'An internal error occurred. Report the X-Request-Id.',
  invalidResponse: 'The response did not match the contract and was withheld. Report the X-Request-Id.',
  unavailable: 'The service is overloaded. Retry later.',
  shuttingDown: 'The service is shutting down. Retry later.',
  databaseUnavailable: 'The database is unavailable. Retry later.',
};

const codes = new Map<string, number>(
  Object.entries(enumNames.ErrorCode).map(([code, name]) => [name, Number(code)]),
);

/** Returns the code of an error, by its name. @throws Error for an unknown name */
export function errorCode(name: string): number {
  const code = codes.get(name);
  if (code === undefined) throw new Error(`There is no error ${name}.`);
  return code;
}

/** Returns the status of an error. Its type is computed in the same way. */
const statusOf = <Name extends ErrorName>(name: Name) =>
  Math.floor(errorCode(name) / 100) as StatusOf<CodeOf<Name>>;

/** An error response of the contract. */
export type ApiErrorResponse<Name extends ErrorName = ErrorName> = ErrorResponse<
  Name,
  StatusOf<CodeOf<Name>>
>;

/** Returns an error response of the contract. `details` replaces its default message, fields and headers. */
export function errorResponse<Name extends ErrorName>(
  name: Name,
  details: ErrorDetails = {},
): ApiErrorResponse<Name> {
  const status = statusOf(name);
  return { errorName: name, status, message: errorMessages[name], fields: '', headers: {}, ...details };
}

/** The response to a request for which the service has no capacity. */
export const overloaded = errorResponse('unavailable', { headers: { 'Retry-After': '1' } });

/** Returns the body of an error response (section 2.6 of the specification). */
export const errorBody = ({ errorName, message, fields }: ErrorResponse) => ({
  code: errorCode(errorName),
  message,
  fields,
});

/** How this service formats the pipeline's errors. */
export const errorFormat: ErrorFormat = { respond: errorResponse, body: errorBody };

/** Returns the error of an operator command for a resource that the company does not have. */
export const notFoundError = (companyId: number, what: string, id: number): ApiError =>
  new ApiError(errorResponse('notFound', { message: `Company ${companyId} has no ${what} ${id}.` }));

export function throwApiError(...args: Parameters<typeof errorResponse>): never {
  throw new ApiError(errorResponse(...args));
}

/** Returns one error response for all invalid locations of a request. */
export const validationError = (errors: readonly FieldError[]): ApiErrorResponse<'validationFailed'> =>
  errorResponse('validationFailed', describeFieldErrors(errors));
