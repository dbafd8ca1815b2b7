import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';

/** Encrypts what must be kept and given back, and decrypts it; each secret is bound to where it belongs. */
export interface Secrets {
  /** @param location what the secret is for; it opens there only */
  seal(text: string, location: string): Uint8Array;
  /** @throws Error where it was sealed with another key, for another place, or was changed */
  open(sealed: Uint8Array, location: string): string;
  /** Whether it was sealed with the key that seals now, and not with one before it. */
  isCurrent(sealed: Uint8Array): boolean;
  /** Whether it was sealed with one of the keys that open. */
  isKnown(sealed: Uint8Array): boolean;
}

/** Bytes of an AES-256 key. */
export const keyLength = 32;

const cipher = 'aes-256-gcm';
// NIST SP 800-38D: 96 bits of nonce, 128 of tag.
const nonceLength = 12;
const tagLength = 16;
const idLength = 4;

const idOf = (key: Uint8Array): string =>
  createHash('sha256').update(key).digest().subarray(0, idLength).toString('hex');

/**
 * Sealed bytes are: which key (4), nonce (12), tag (16), ciphertext.
 * @param key seals, and opens what it has sealed
 * @param others open only: the key before, or the one that is to come
 */
export function createSecrets(key: Uint8Array, ...others: readonly Uint8Array[]): Secrets {
  // From bytes a key would be made anew at each use.
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
      if (!opening)
        throw new Error('This secret was encrypted with another key than the one that is set now.');
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
