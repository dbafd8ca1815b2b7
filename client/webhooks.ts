import { validators } from '../generated/events.js';
import { decodeBase64, extractPayload, type ReceivedEvent } from './webhook-events.ts';

export type {
  EventType,
  FullEvent,
  ReceivedEvent as Received,
  ShortEvent,
  UnknownEvent,
} from './webhook-events.ts';

/** A request from a framework that does not use the Web `Request`. */
export interface ReceivedRequest {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The URL of the request with its query string. A path without a host is enough. */
  url: string;
  /**
   * The received bytes, or their text. JSON that was parsed and serialized again no longer matches the signature.
   */
  body?: string | Uint8Array | null | undefined;
}

export interface VerifyOptions {
  /**
   * The signing secret (`whsec_…`), from the header `Webhook-Secret` of the create response. Pass both secrets during a
   * rotation.
   */
  secret: string | readonly string[];
  /** Maximum difference between the request's timestamp and the current time, in seconds (default: 300). */
  toleranceSeconds?: number;
  /** The current time in milliseconds since 1970 (default: the system clock). */
  now?: number;
}

export type WebhookProblem =
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing or invalid. */
  | 'headers'
  /** The timestamp is too far from the current time. The request may be a replay. */
  | 'time'
  /** No signature matches the secret and the received payload. */
  | 'signature'
  /** The request has no payload, or a signed payload that is not an event, or violates the schema of its type. */
  | 'event';

/** The request is not authentic, or has no valid event. Respond with status 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Verifies a webhook request (Standard Webhooks) and returns its event. The request may be a GET, POST, PUT or DELETE.
 * @param call a Web `Request`, whose body this function reads, or the parts of a request
 * @throws WebhookError if the request is not authentic or has no valid event; TypeError if the secret is invalid, or
 * the body was already read or parsed
 * @validatesEvents
 */
export async function verifyWebhook(
  call: Request | ReceivedRequest,
  options: VerifyOptions,
): Promise<ReceivedEvent> {
  const { secret, toleranceSeconds = 300, now = Date.now() } = options;
  const keys = await Promise.all([secret].flat().map(keyFrom));
  if (keys.length === 0) throw new TypeError('The secret is missing.');
  const header = headersOf(call);
  const [id, timestamp, signatures] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ];
  if (!id || !signatures || !/^\d{1,15}$/.test(timestamp ?? ''))
    throw new WebhookError(
      'headers',
      'The headers webhook-id, webhook-timestamp and webhook-signature are required.',
    );
  // The negated comparison also rejects NaN.
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookError(
      'time',
      `The timestamp is too far from the current time: ${timestamp}. Is this machine's clock right?`,
    );
  const carried = extractPayload(await bodyOf(call), call.url);
  if (!carried) throw new WebhookError('event', 'The request has neither a body nor a payload in the query.');
  if (!(await isSigned(`${id}.${timestamp}.${carried.payload}`, signatures, keys)))
    throw new WebhookError(
      'signature',
      'No signature matches this secret. Is the body unchanged since it was received?',
    );
  return { id, ...eventIn(carried.form, carried.payload) };
}

const prefix = 'whsec_';

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function keyFrom(secret: string): Promise<Key> {
  const bytes = secret.startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : undefined;
  if (!bytes || bytes.length < 16) throw new TypeError(`A webhook secret is ${prefix} followed by base64.`);
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

// Duck typing, because `instanceof` fails for objects from another realm or a polyfill.
function headersOf({ headers }: Request | ReceivedRequest): (name: string) => string | undefined {
  const { get } = headers;
  if (typeof get === 'function') return (name) => get.call(headers, name) ?? undefined;
  const given = Object.entries(headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    [value].flat().join(', '),
  ]);
  const byName = new Map<string, string>(given);
  return (name) => byName.get(name);
}

async function bodyOf(call: Request | ReceivedRequest): Promise<string> {
  const body = 'text' in call && typeof call.text === 'function' ? await call.text() : (call.body ?? '');
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  throw new TypeError('The body must be the received bytes or their text, before parsing.');
}

/** Whether one of the signatures matches one of the keys. During a rotation there are two signatures. */
async function isSigned(signed: string, signatures: string, keys: Key[]): Promise<boolean> {
  const bytes = new TextEncoder().encode(signed);
  const expected = signatures
    // If a header occurs several times, its values are joined by a comma.
    .split(/,?\s+/)
    .flatMap((signature) => (signature.startsWith('v1,') ? [decodeBase64(signature.slice(3))] : []))
    .slice(0, 10);
  const verdicts = await Promise.all(
    // `verify` compares in constant time (W3C Web Cryptography API, HMAC).
    expected.flatMap((signature) =>
      keys.map((key) => signature !== undefined && crypto.subtle.verify('HMAC', key, signature, bytes)),
    ),
  );
  return verdicts.includes(true);
}

function eventIn(form: 'full' | 'short', payload: string): WithoutId<ReceivedEvent> {
  let event: unknown;
  try {
    event = JSON.parse(payload);
  } catch {
    throw new WebhookError('event', 'The signature is valid, but the body is not JSON.');
  }
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string')
    throw new WebhookError('event', 'The signature is valid, but the body is not an event: it has no type.');
  const known = validators[form];
  const violationsOf = Object.hasOwn(known, event.type) ? known[event.type] : undefined;
  if (!violationsOf) return { form: 'unknown', event: { ...event, type: event.type } };
  const [violation] = violationsOf(event);
  if (violation)
    throw new WebhookError(
      'event',
      `The signature is valid, but ${violation.pointer || 'the event'} ${violation.message}.`,
    );
  // The cast is safe: the event was validated against the schema for its type and form.
  return { form, event } as WithoutId<ReceivedEvent>;
}

/** Each member of a union without its `id`. `Omit` alone would merge the members. */
type WithoutId<Received> = Received extends ReceivedEvent ? Omit<Received, 'id'> : never;
