import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';

/** Returns the key of a secret in the format of Standard Webhooks: `whsec_` and base64. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));

/**
 * Signs a message as defined by Standard Webhooks: HMAC-SHA256 over its ID, timestamp and content.
 * @param keys each key makes one signature
 * @param seconds the timestamp, in seconds since 1970
 */
export function signatures(
  keys: readonly KeyObject[],
  { id, seconds, content }: { id: string; seconds: number; content: string },
): string {
  const signed = `${id}.${seconds}.${content}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
