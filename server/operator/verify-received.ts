import { type Webhook, WebhookVerificationError } from 'standardwebhooks';
import { validateReceivedEvent } from '../own-contract/events.ts';

/** A received webhook request. */
export interface ReceivedWebhook {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The result of verifying a request. */
export interface Verification {
  id: string | null;
  type: string | null;
  /** Whether the signature is valid; null if no secret was given. */
  verified: boolean | null;
  /** The reasons why the request is invalid. */
  problems: string[];
  event: unknown;
}

const methods: readonly string[] = ['GET', 'PUT', 'POST', 'DELETE'];

/**
 * Verifies a request as receivers should: the signature over the JSON, then the event against the contract.
 * @param verifier undefined if the secret is unknown
 */
export function verifyReceived(
  { method, url, headers, body }: ReceivedWebhook,
  verifier: Webhook | undefined,
): Verification {
  const bodiless = method === 'GET' || method === 'DELETE';
  const parameter = new URLSearchParams(url.split('?')[1] ?? '').get('payload') ?? '';
  const content = bodiless ? Buffer.from(parameter, 'base64url').toString() : body;
  const event = parsed(content);
  const wrongSignature = verifier && signatureProblem(content, headers, verifier);
  const contract = validateReceivedEvent(event, bodiless ? 'short' : 'full');
  return {
    id: headers['webhook-id'] ?? null,
    type: typeOf(event),
    verified: verifier ? wrongSignature === undefined : null,
    problems: [
      ...(methods.includes(method) ? [] : [`${method} is not a method of webhooks`]),
      ...(wrongSignature === undefined ? [] : [wrongSignature]),
      ...contract.map(({ field, message }) => `${field || 'the event'} ${message}`),
    ],
    event: event ?? null,
  };
}

function signatureProblem(
  content: string,
  headers: Record<string, string>,
  verifier: Webhook,
): string | undefined {
  // This is checked here, because the library accepts every value that begins with digits.
  if (!/^\d+$/.test(headers['webhook-timestamp'] ?? ''))
    return 'webhook-timestamp is not a number of seconds';
  try {
    verifier.verify(content, headers, { jsonParse: false });
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return `the signature is invalid: ${error.message}`;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const typeOf = (event: unknown): string | null =>
  typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
    ? event.type
    : null;
