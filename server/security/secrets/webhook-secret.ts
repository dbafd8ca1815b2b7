import { randomBytes } from 'node:crypto';

/** Returns a new secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64 (D44). */
export const mintSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Returns the encryption context of a webhook's secret. */
export const webhookSecretContext = (companyId: number, id: number): string =>
  `secret of webhook ${id} of company ${companyId}`;
