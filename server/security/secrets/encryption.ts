import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';

/** Encrypts and decrypts secrets. Each ciphertext is bound to its context (associated data). */
export interface Secrets {
  /** Encrypts a string. @param location the context; decryption needs the same context */
  seal(text: string, location: string): Uint8Array;
  /** Decrypts a ciphertext. @throws Error if its key is not configured, it was modified, or the context differs */
  open(sealed: Uint8Array, location: string): string;
  /** Whether a ciphertext was encrypted with the current key, according to the key ID in it. */
  isCurrent(sealed: Uint8Array): boolean;
  /** Whether a ciphertext was encrypted with one of the keys, according to the key ID in it. */
  isKnown(sealed: Uint8Array): boolean;
}

/** Length of an AES-256 key, in bytes. */
export const keyLength = 32;

const cipher = 'aes-256-gcm';
// Lengths in bytes: nonces of 96 bits and tags of 128 bits (NIST SP 800-38D).
const nonceLength = 12;
const tagLength = 16;
const idLength = 4;

const idOf = (key: Uint8Array): string =>
  createHash('sha256').update(key).digest().subarray(0, idLength).toString('hex');

/**
 * Creates `Secrets` from one or more keys. A ciphertext consists of key ID (4 bytes), nonce (12), tag (16) and data.
 * @param key encrypts and decrypts
 * @param others decrypt only: previous or next keys
 */
export function createSecrets(key: Uint8Array, ...others: readonly Uint8Array[]): Secrets {
  // Key objects are created once, not for each use.
  const secretKeys = new Map([...others, key].map((each) => [idOf(each), createSecretKey(each)]));
  const secretKey = createSecretKey(key);
  const keyId = Buffer.from(idOf(key), 'hex');
  const nameIn = (sealed: Uint8Array) => Buffer.from(sealed).toString('hex', 0, idLength);
  return {
    isCurrent: (sealed) => nameIn(sealed) === idOf(key),
    isKnown: (sealed) => secretKeys.has(nameIn(sealed)),
    seal(text, location) {
      const nonce = randomBytes(nonceLength);
      const encrypting = createCipheriv(cipher, secretKey, nonce, { authTagLength: tagLength });
      encrypting.setAAD(Buffer.from(location));
      const ciphertext = Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()]);
      return Buffer.concat([keyId, nonce, encrypting.getAuthTag(), ciphertext]);
    },
    open(sealed, location) {
      const bytes = Buffer.from(sealed);
      const opening = secretKeys.get(nameIn(bytes));
      if (!opening) throw new Error('This secret was encrypted with a key that is not configured.');
      const tagAt = idLength + nonceLength;
      const textAt = tagAt + tagLength;
      const decrypting = createDecipheriv(cipher, opening, bytes.subarray(idLength, tagAt), {
        authTagLength: tagLength,
      });
      decrypting.setAAD(Buffer.from(location));
      decrypting.setAuthTag(bytes.subarray(tagAt, textAt));
      return Buffer.concat([decrypting.update(bytes.subarray(textAt)), decrypting.final()]).toString('utf8');
    },
  };
}

/** Encrypts and decrypts the headers of stored responses that contain a secret (D34). */
export function createResponseEncryption(secrets: Secrets, companyId: number) {
  const location = `remembered answer of company ${companyId}`;
  return {
    seal: (text: string): string => Buffer.from(secrets.seal(text, location)).toString('base64'),
    open: (text: string): string => secrets.open(Buffer.from(text, 'base64'), location),
  };
}
