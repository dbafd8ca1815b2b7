import type { components } from '../generated/types.ts';
import { isTemporary } from './retry-policy.ts';

/** A code that this version of the contract documents. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** An error response that the contract documents. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status code. */
  readonly status: number;
  /**
   * The status times 100, plus two digits for the cause. The guide on errors lists all codes. A newer service can return
   * others, so a `switch` needs a `default`.
   */
  readonly code: ErrorCode;
  /** The invalid locations as the service sent them: JSON Pointers, `query/NAME` and so on. */
  readonly fields: string;
  /** The ID of the request. Include it when you report a problem. */
  readonly requestId: string;
  /** The delay in seconds that `Retry-After` requests; undefined if the header is missing or invalid. */
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

  /** Returns the fields for logs. By default, JSON.stringify omits the message of an Error. */
  toJSON(): object {
    const { name, status, code, message, fields, requestId, retryAfter } = this;
    return { name, status, code, message, fields, requestId, retryAfter };
  }

  /** The locations in `fields`, as a list. */
  get locations(): string[] {
    // A property name may contain a comma, so only a comma that precedes the start of a location separates locations.
    return this.fields === '' ? [] : this.fields.split(/, (?=\/|body(?:,|$)|(?:query|path|header)\/)/);
  }
}

/** The body of every error response. */
interface ErrorBody {
  code: ErrorCode;
  message: string;
  fields: string;
}

/** Whether a body is an error response from the service, and not from a proxy. */
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
 * A response that is not from the service, but from a proxy, a login page or another application at this URL. Whether
 * the request had an effect is unknown.
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;
  /** The first 1,000 characters of the response body. */
  readonly body: string;

  constructor(what: string, { method, url }: Request, status: number, body: string) {
    super(`${method} ${withoutQuery(url)}: ${what} Is baseUrl the URL of the service?`);
    this.status = status;
    this.body = body.slice(0, 1_000);
  }
}

/** No complete response arrived. `cause` is the error of the last attempt, such as a `TimeoutError`. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** Number of attempts. */
  readonly attempts: number;

  constructor({ method, url }: Request, attempts: number, cause: unknown) {
    const why = cause instanceof Error ? `${cause.message}${reasonOf(cause)}` : String(cause);
    super(`${method} ${withoutQuery(url)}: no response after ${attempts} attempt(s): ${why}`, { cause });
    this.attempts = attempts;
  }
}

/**
 * Whether the same request can succeed later: there was no response, or none from the service, or the service is
 * unavailable or has failed. The request may have had an effect, so repeat it only with its `Idempotency-Key`.
 */
export const canSucceedLater = (error: unknown): boolean =>
  error instanceof NoResponseError ||
  error instanceof UnexpectedResponseError ||
  (error instanceof ParleyError && (isTemporary(error) || error.status >= 500));

/** Formats the cause of an error. Node's message is only `fetch failed`; the cause contains the actual reason. */
const reasonOf = ({ cause }: Error): string => (cause instanceof Error ? ` (${cause.message})` : '');

/** Queries may contain personal data, which must not be logged. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/**
 * Parses `Retry-After`, which is a number of seconds or a date (RFC 9110, section 10.2.3).
 * @param now milliseconds since 1970
 * @returns the delay in seconds; undefined if the header is missing or invalid
 */
export function parseRetryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // The two obsolete date formats are not accepted.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) return undefined;
  const timestamp = Date.parse(header);
  return Number.isNaN(timestamp) ? undefined : Math.max(0, Math.ceil((timestamp - now) / 1000));
}
