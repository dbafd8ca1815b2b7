import { randomBytes } from 'node:crypto';
import type { Secrets } from './encryption.ts';

/** Returns a new secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64 (D44). */
export const mintSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Returns the encryption context of a webhook's secret. */
export const webhookSecretContext = (companyId: number, id: number): string =>
  `secret of webhook ${id} of company ${companyId}`;

/** Encrypts and decrypts the headers of stored responses that contain a secret (D34). */
export function createResponseEncryption(secrets: Secrets, companyId: number) {
  const location = `remembered answer of company ${companyId}`;
  return {
    seal: (text: string): string => Buffer.from(secrets.seal(text, location)).toString('base64'),
    open: (text: string): string => secrets.open(Buffer.from(text, 'base64'), location),
  };
}
