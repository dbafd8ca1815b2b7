import { randomBytes } from 'node:crypto';
import type { Secrets } from '../secrets/seal.ts';

/** A new secret as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64 (D44). */
export const mintSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** What a webhook's secret is sealed for; it opens nowhere else. */
export const placeOfSecret = (companyId: number, id: number): string =>
  `secret of webhook ${id} of company ${companyId}`;

/** How an answer that shows a secret is remembered (D34). */
export function protectedBy(secrets: Secrets, companyId: number) {
  const place = `remembered answer of company ${companyId}`;
  return {
    seal: (text: string): string => Buffer.from(secrets.seal(text, place)).toString('base64'),
    open: (text: string): string => secrets.open(Buffer.from(text, 'base64'), place),
  };
}
