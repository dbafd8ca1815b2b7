import type { Secrets } from './encryption.ts';

/** Encrypts and decrypts the headers of stored responses that contain a secret (D34). */
export function createResponseEncryption(secrets: Secrets, companyId: number) {
  const location = `remembered answer of company ${companyId}`;
  return {
    seal: (text: string): string => Buffer.from(secrets.seal(text, location)).toString('base64'),
    open: (text: string): string => secrets.open(Buffer.from(text, 'base64'), location),
  };
}
