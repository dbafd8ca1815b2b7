/** A refusal that the contract documents. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status. */
  readonly status: number;
  /** The status times 100, and two digits for the cause; the guide on errors lists them all. */
  readonly code: number;
  /** The places of the request to mend, as the service wrote them: JSON Pointers, `query/NAME` and so on. */
  readonly fields: string;
  /** Name it when you report a fault. */
  readonly requestId: string;
  /** After how many seconds to come again, where the service has said so. */
  readonly retryAfter: number | undefined;

  constructor(
    { status, headers }: Pick<Response, 'status' | 'headers'>,
    { code, message, fields }: ErrorBody,
    now: number = Date.now(),
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = headers.get('X-Request-Id') ?? '';
    this.retryAfter = parseRetryAfterSeconds(headers.get('Retry-After'), now);
  }

  /** For logs, which would leave the message out. */
  toJSON(): object {
    const { name, status, code, message, fields, requestId, retryAfter } = this;
    return { name, status, code, message, fields, requestId, retryAfter };
  }

  /** `fields`, one by one. */
  get locations(): string[] {
    // A comma may be part of a property's name: only one before the beginning of a place ends a place.
    return this.fields === '' ? [] : this.fields.split(/, (?=\/|body(?:,|$)|(?:query|path|header)\/)/);
  }
}

/** The body of every refusal. */
interface ErrorBody {
  code: number;
  message: string;
  fields: string;
}

/** Whether a body is a refusal of the service's, and not that of something between. */
export function isErrorBody(status: number, body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    'message' in body &&
    'fields' in body &&
    Number.isInteger(body.code) &&
    Math.floor(Number(body.code) / 100) === status &&
    typeof body.message === 'string' &&
    typeof body.fields === 'string'
  );
}

/**
 * An answer that is not the service's: of a proxy, of a page for logging in, of another program at this address.
 * Whether the request has done anything is not known.
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;
  /** The beginning of it. */
  readonly body: string;

  constructor(what: string, { method, url }: Request, status: number, body: string) {
    super(`${method} ${withoutQuery(url)}: ${what} Does baseUrl lead to the service?`);
    this.status = status;
    this.body = body.slice(0, 1_000);
  }
}

/** No answer at all: `cause` tells why; a `TimeoutError` there means that it took too long. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** How often it was tried. */
  readonly attempts: number;

  constructor({ method, url }: Request, attempts: number, cause: unknown) {
    const why = cause instanceof Error ? `${cause.message}${reasonOf(cause)}` : String(cause);
    super(`${method} ${withoutQuery(url)}: no answer after ${attempts} attempt(s): ${why}`, { cause });
    this.attempts = attempts;
  }
}

/** Node says `fetch failed`, and why in the cause. */
const reasonOf = ({ cause }: Error): string => (cause instanceof Error ? ` (${cause.message})` : '');

/** What people look for does not belong into logs. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/**
 * `Retry-After`: a number of seconds, or a moment (RFC 9110, 10.2.3).
 * @param now milliseconds since 1970
 */
export function parseRetryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // The two older forms, without a zone or with a year of two digits, are for servers of another century.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) return undefined;
  const timestamp = Date.parse(header);
  return Number.isNaN(timestamp) ? undefined : Math.max(0, Math.ceil((timestamp - now) / 1000));
}
