interface ErrorKind {
  status: number;
  /** HTTP status × 100 + n (D25). */
  code: number;
  means: string;
}

/** Every error that a caller of the interface can meet; the guide on errors is compared with it in both directions. */
export const errors = {
  malformed: {
    status: 400,
    code: 40001,
    means: 'The request cannot be parsed: its JSON, percent-encoding or HTTP is broken.',
  },
  tokenMissing: { status: 401, code: 40101, means: 'Send a token: Authorization: Bearer …' },
  tokenUnknown: { status: 401, code: 40102, means: 'The token is not known here.' },
  tokenExpired: { status: 401, code: 40103, means: 'The token has expired. Ask the operator for a new one.' },
  tokenRevoked: { status: 401, code: 40104, means: 'The token was revoked. Ask the operator for a new one.' },
  scopeMissing: { status: 403, code: 40301, means: 'The token lacks a scope that this operation needs.' },
  noSuchResource: { status: 404, code: 40401, means: 'There is no such resource in this company.' },
  noSuchPath: { status: 404, code: 40402, means: 'There is nothing at this path.' },
  methodNotAllowed: { status: 405, code: 40501, means: 'The path does not take this method.' },
  tooSlow: { status: 408, code: 40801, means: 'The request took too long to arrive.' },
  uniqueValueTaken: { status: 409, code: 40901, means: 'Another contact has this value of a unique field.' },
  requestInWork: {
    status: 409,
    code: 40902,
    means: 'An identical request is still in work. Ask again later.',
  },
  versionMismatch: { status: 412, code: 41201, means: 'Somebody else has changed it. Read it again.' },
  bodyTooLarge: { status: 413, code: 41301, means: 'The body is too large.' },
  unsupportedMediaType: {
    status: 415,
    code: 41501,
    means: 'The body has a media type or a content coding that is not taken here.',
  },
  invalid: { status: 422, code: 42201, means: 'The request breaks the contract or a rule.' },
  keyReused: { status: 422, code: 42202, means: 'This Idempotency-Key was used for another request.' },
  addressNotAllowed: { status: 422, code: 42203, means: 'A webhook may not have this address.' },
  rateLimited: { status: 429, code: 42901, means: 'Too many requests.' },
  headersTooLarge: { status: 431, code: 43101, means: 'The headers are too large.' },
  internal: {
    status: 500,
    code: 50001,
    means: 'Something went wrong on our side. Name the X-Request-Id when you report it.',
  },
  answerBroken: {
    status: 500,
    code: 50002,
    means: 'Our own answer broke the contract and was held back. Name the X-Request-Id when you report it.',
  },
  unavailable: {
    status: 503,
    code: 50301,
    means: 'The service is overloaded, shutting down, or without its database. Try again soon.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorName = keyof typeof errors;

/** An answer that says no. */
export interface Refusal<Name extends ErrorName = ErrorName> {
  refused: Name;
  status: (typeof errors)[Name]['status'];
  message: string;
  /** The wrong places, as D26 writes them. */
  fields: string;
  headers: Record<string, string>;
}

export function refusal<Name extends ErrorName>(
  name: Name,
  details: { message?: string; fields?: string; headers?: Record<string, string> } = {},
): Refusal<Name> {
  const { status, means } = errors[name];
  return { refused: name, status, message: means, fields: '', headers: {}, ...details };
}

/** The body that every refusal has (section 2.6 of the specification). */
export const errorBody = ({ refused, message, fields }: Refusal) => ({
  code: errors[refused].code,
  message,
  fields,
});

/** Ends the work on a request from wherever it stands; the pipeline's `failure` writes the answer. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(why: Refusal) {
    // It is an answer and no fault: nobody reads where it was thrown, and to note that is a fifth of a refused request.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(why.message);
    Error.stackTraceLimit = stackTraceLimit;
    this.refusal = why;
  }
}

/** The operator has named something that the company does not have. */
export const missing = (companyId: number, what: string, id: number): Refused =>
  new Refused(refusal('noSuchResource', { message: `Company ${companyId} has no ${what} ${id}.` }));

export function refuse(...why: Parameters<typeof refusal>): never {
  throw new Refused(refusal(...why));
}

/** Something wrong in a request: a place, as D26 writes it, and what it must be. */
export interface Problem {
  field: string;
  message: string;
}

// A body can be wrong in thousands of places, and a place as long as the body; nobody reads more than this.
const mostNamed = 50;
const longestName = 256;

/** One refusal for all problems: every place is named once, with the first complaint about it. */
export function invalid(problems: readonly Problem[]): Refusal<'invalid'> {
  const byField = new Map<string, string>();
  for (const { field, message } of problems) {
    const place = field.length > longestName ? `${field.slice(0, longestName)}…` : field;
    if (!byField.has(place)) byField.set(place, message);
  }
  const named = [...byField].slice(0, mostNamed);
  const message = named.map(([field, words]) => `${field} ${words}`.trim()).join('; ');
  const fields = named.map(([field]) => field).filter(Boolean);
  return refusal('invalid', { message: `${message}.`, fields: fields.join(', ') });
}
