import { validators } from '../generated/events.js';
import { decodeBase64, extractPayload, type ReceivedEvent } from './webhook-events.ts';

export type { EventType, FullEvent, ReceivedEvent as Received, ShortEvent } from './webhook-events.ts';

/** A call as a framework has it that does not give a Web `Request`. */
export interface ReceivedRequest {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** With the query; a path alone will do. */
  url: string;
  /** The very bytes that came, or their text: JSON that was parsed and written again is signed no more. */
  body?: string | Uint8Array | null | undefined;
}

export interface VerifyOptions {
  /** `whsec_…`, from the header `Webhook-Secret` of the answer with which the webhook was made; several while one is being replaced. */
  secret: string | readonly string[];
  /** How far the call's moment may be from now; 300 unless said. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  now?: number;
}

export type WebhookProblem =
  /** A header of the three is missing, or is none. */
  | 'headers'
  /** Too old, or from the future: perhaps somebody plays it back. */
  | 'time'
  /** Not signed with this secret. */
  | 'signature'
  /** Signed, but without an event that this version of the contract knows. */
  | 'event';

/** Why a call is not believed. Answer it with a status of 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * The event that a call of a webhook carries, whichever of the four verbs it came by, once it is certain that Parley
 * has sent it, and lately (Standard Webhooks).
 * @param call a Web `Request`, whose body is read here, or the parts of one
 * @throws WebhookError where it is not to be believed; TypeError where the secret is none, or the body was read or parsed before
 */
export async function verifyWebhook(
  call: Request | ReceivedRequest,
  options: VerifyOptions,
): Promise<ReceivedEvent> {
  const { secret, toleranceSeconds = 300, now = Date.now() } = options;
  const keys = await Promise.all([secret].flat().map(keyFrom));
  if (keys.length === 0) throw new TypeError('A secret is needed.');
  const header = headersOf(call);
  const [id, timestamp, signatures] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ];
  if (!id || !signatures || !/^\d{1,15}$/.test(timestamp ?? ''))
    throw new WebhookError('headers', 'webhook-id, webhook-timestamp and webhook-signature are needed.');
  // Put so that what is no number lets nothing in.
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookError(
      'time',
      `The call is of another time than now: ${timestamp}. Is this machine's clock right?`,
    );
  const carried = extractPayload(await bodyOf(call), call.url);
  if (!carried) throw new WebhookError('event', 'There is neither a body nor a payload in the query.');
  if (!(await isSigned(`${id}.${timestamp}.${carried.payload}`, signatures, keys)))
    throw new WebhookError('signature', 'No signature fits this secret. Is the body the bytes that came?');
  // The contract's schema of this type and form is met.
  return { id, form: carried.form, event: eventIn(carried.form, carried.payload) } as ReceivedEvent;
}

const prefix = 'whsec_';

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function keyFrom(secret: string): Promise<Key> {
  const bytes = secret.startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : undefined;
  if (!bytes || bytes.length < 16) throw new TypeError(`A webhook's secret looks like ${prefix} and base64.`);
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

// What it can do tells a Request, or Headers: another realm's, or a polyfill's, are of another class.
function headersOf({ headers }: Request | ReceivedRequest): (name: string) => string | undefined {
  const { get } = headers;
  if (typeof get === 'function') return (name) => get.call(headers, name) ?? undefined;
  const given = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    [value].flat().join(', '),
  ]);
  const byName: Record<string, string> = Object.fromEntries(given);
  return (name) => byName[name];
}

async function bodyOf(call: Request | ReceivedRequest): Promise<string> {
  const body = 'text' in call && typeof call.text === 'function' ? await call.text() : (call.body ?? '');
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  throw new TypeError('The body must be the bytes that came, or their text: before anything has parsed it.');
}

/** Whether one of the signatures, of which there are two while a secret is being replaced, is by one of the keys. */
async function isSigned(signed: string, signatures: string, keys: Key[]): Promise<boolean> {
  const bytes = new TextEncoder().encode(signed);
  const ours = signatures
    // Two headers of one name come joined by a comma.
    .split(/,?\s+/)
    .flatMap((signature) => (signature.startsWith('v1,') ? [decodeBase64(signature.slice(3))] : []))
    .slice(0, 10);
  const verdicts = await Promise.all(
    // This compares in constant time (W3C Web Cryptography API, HMAC, verify).
    ours.flatMap((signature) =>
      keys.map((key) => signature !== undefined && crypto.subtle.verify('HMAC', key, signature, bytes)),
    ),
  );
  return verdicts.includes(true);
}

function eventIn(form: 'full' | 'short', payload: string): unknown {
  let event: unknown;
  try {
    event = JSON.parse(payload);
  } catch {
    throw new WebhookError('event', 'It is signed, but no JSON.');
  }
  const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : '';
  const known = validators[form];
  const isValid = Object.hasOwn(known, type) ? known[type] : undefined;
  if (!isValid)
    throw new WebhookError(
      'event',
      `It is signed, but of a kind that is not known here: ${JSON.stringify(type)}.`,
    );
  if (!isValid(event)) {
    const [problem] = isValid.errors ?? [];
    throw new WebhookError(
      'event',
      `It is signed, but ${problem?.instancePath || 'the event'} ${problem?.message ?? 'does not fit'}.`,
    );
  }
  return event;
}
