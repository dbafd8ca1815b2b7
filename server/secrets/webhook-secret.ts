import { randomBytes } from 'node:crypto';

/** A new secret as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64 (D44). */
export const mintSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** What a webhook's secret is sealed for; it opens nowhere else. */
export const webhookSecretContext = (companyId: number, id: number): string =>
  `secret of webhook ${id} of company ${companyId}`;
