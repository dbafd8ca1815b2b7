interface ErrorKind {
  status: number;
  /** HTTP status × 100 + n (D25). */
  code: number;
  message: string;
}

/** Every error that a caller of the interface can meet; the guide on errors is compared with it in both directions. */
export const errorCatalog = {
  malformedRequest: {
    status: 400,
    code: 40001,
    message: 'The request cannot be parsed: its JSON, percent-encoding or HTTP is broken.',
  },
  tokenMissing: { status: 401, code: 40101, message: 'Send a token: Authorization: Bearer …' },
  tokenUnknown: { status: 401, code: 40102, message: 'The token is unknown.' },
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
  scopeMissing: { status: 403, code: 40301, message: 'The token lacks a scope that this operation needs.' },
  notFound: { status: 404, code: 40401, message: 'There is no such resource in this company.' },
  pathNotFound: { status: 404, code: 40402, message: 'There is nothing at this path.' },
  methodNotAllowed: { status: 405, code: 40501, message: 'The path does not take this method.' },
  requestTimeout: { status: 408, code: 40801, message: 'The request took too long to arrive.' },
  uniqueValueTaken: {
    status: 409,
    code: 40901,
    message: 'Another contact has this value of a unique field.',
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
  bodyTooLarge: { status: 413, code: 41301, message: 'The body is too large.' },
  unsupportedMediaType: {
    status: 415,
    code: 41501,
    message: 'The body has a media type or a content coding that is not taken here.',
  },
  validationFailed: { status: 422, code: 42201, message: 'The request breaks the contract or a rule.' },
  idempotencyKeyReused: {
    status: 422,
    code: 42202,
    message: 'This Idempotency-Key was used for another request.',
  },
  addressNotAllowed: { status: 422, code: 42203, message: 'A webhook may not have this address.' },
  rateLimited: { status: 429, code: 42901, message: 'Too many requests.' },
  headersTooLarge: { status: 431, code: 43101, message: 'The headers are too large.' },
  internalError: {
    status: 500,
    code: 50001,
    message: 'Something went wrong on our side. Name the X-Request-Id when you report it.',
  },
  invalidResponse: {
    status: 500,
    code: 50002,
    message: 'The response did not match the contract and was withheld. Report the X-Request-Id.',
  },
  unavailable: {
    status: 503,
    code: 50301,
    message: 'The service is overloaded, shutting down, or without its database. Try again soon.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorName = keyof typeof errorCatalog;

/** An answer that says no. */
export interface ErrorResponse<Name extends ErrorName = ErrorName> {
  errorName: Name;
  status: (typeof errorCatalog)[Name]['status'];
  message: string;
  /** The wrong places, as D26 writes them. */
  fields: string;
  headers: Record<string, string>;
}

export function errorResponse<Name extends ErrorName>(
  name: Name,
  details: { message?: string; fields?: string; headers?: Record<string, string> } = {},
): ErrorResponse<Name> {
  const { status, message } = errorCatalog[name];
  return { errorName: name, status, message, fields: '', headers: {}, ...details };
}

/** The body that every refusal has (section 2.6 of the specification). */
export const errorBody = ({ errorName, message, fields }: ErrorResponse) => ({
  code: errorCatalog[errorName].code,
  message,
  fields,
});

/** Ends the work on a request from wherever it stands; the pipeline's `failure` writes the answer. */
export class ApiError extends Error {
  readonly errorResponse: ErrorResponse;
  constructor(why: ErrorResponse) {
    // It is an answer and no fault: nobody reads where it was thrown, and to note that is a fifth of a refused request.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(why.message);
    Error.stackTraceLimit = stackTraceLimit;
    this.errorResponse = why;
  }
}

/** The operator has named something that the company does not have. */
export const notFoundError = (companyId: number, what: string, id: number): ApiError =>
  new ApiError(errorResponse('notFound', { message: `Company ${companyId} has no ${what} ${id}.` }));

export function throwApiError(...why: Parameters<typeof errorResponse>): never {
  throw new ApiError(errorResponse(...why));
}

/** Something wrong in a request: a place, as D26 writes it, and what it must be. */
export interface FieldError {
  field: string;
  message: string;
}

// A body can be wrong in thousands of places, and a place as long as the body; nobody reads more than this.
const maxNamed = 50;
const maxName = 256;

/** One refusal for all problems: every place is named once, with the first complaint about it. */
export function validationError(problems: readonly FieldError[]): ErrorResponse<'validationFailed'> {
  const byField = new Map<string, string>();
  for (const { field, message } of problems) {
    const location = field.length > maxName ? `${field.slice(0, maxName)}…` : field;
    if (!byField.has(location)) byField.set(location, message);
  }
  const named = [...byField].slice(0, maxNamed);
  const message = named.map(([field, words]) => `${field} ${words}`.trim()).join('; ');
  const fields = named.map(([field]) => field).filter(Boolean);
  return errorResponse('validationFailed', { message: `${message}.`, fields: fields.join(', ') });
}
