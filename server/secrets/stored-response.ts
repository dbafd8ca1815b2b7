import type { Secrets } from './encryption.ts';

/** How an answer that shows a secret is remembered (D34). */
export function protectedBy(secrets: Secrets, companyId: number) {
  const place = `remembered answer of company ${companyId}`;
  return {
    seal: (text: string): string => Buffer.from(secrets.seal(text, place)).toString('base64'),
    open: (text: string): string => secrets.open(Buffer.from(text, 'base64'), place),
  };
}
