import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { problemsInReceived } from '../contract/event.ts';

/** A call as it arrived. */
export interface ReceivedCall {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What is to be said of a call. */
export interface Finding {
  id: string | null;
  type: string | null;
  /** Null where no secret was given. */
  verified: boolean | null;
  /** Why it is not what it should be. */
  problems: string[];
  event: unknown;
}

/**
 * Judges a call as a receiver should: the signature over the JSON that travelled, then the event by the contract.
 * @param secret as the webhook's owner was shown it; undefined where it is not known
 */
export function judge({ method, url, headers, body }: ReceivedCall, secret: string | undefined): Finding {
  const bodiless = method === 'GET' || method === 'DELETE';
  const parameter = new URL(url, 'http://receiver').searchParams.get('payload') ?? '';
  const content = bodiless ? Buffer.from(parameter, 'base64url').toString() : body;
  const event = parsed(content);
  const wrongSignature = secret === undefined ? undefined : signatureProblem(content, headers, secret);
  const contract = problemsInReceived(event, bodiless ? 'short' : 'full');
  return {
    id: headers['webhook-id'] ?? null,
    type: typeOf(event),
    verified: secret === undefined ? null : wrongSignature === undefined,
    problems: [
      ...(wrongSignature === undefined ? [] : [wrongSignature]),
      ...contract.map(({ field, message }) => `${field || 'the event'} ${message}`),
    ],
    event: event ?? null,
  };
}

function signatureProblem(
  content: string,
  headers: Record<string, string>,
  secret: string,
): string | undefined {
  try {
    new Webhook(secret).verify(content, headers, { jsonParse: false });
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return `the signature does not hold: ${error.message}`;
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
