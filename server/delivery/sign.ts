import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/**
 * Signs a message as Standard Webhooks has it: HMAC-SHA256 over its id, the second of the call and its content.
 * @param secrets each `whsec_` and base64; one signature for each of them
 * @param seconds since 1970
 */
export function signatures(
  secrets: readonly string[],
  { id, seconds, content }: { id: string; seconds: number; content: string },
): string {
  const signed = `${id}.${seconds}.${content}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    })
    .join(' ');
}
