import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'ply_live_';
const secretLength = 30;
const checksumLength = 6;

const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** Returns a new token: prefix, 178 random bits, checksum (D30). */
export function mintToken(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return prefix + secret + checksum(prefix + secret);
}

/** Whether a text has the form and checksum of a token, so that mistyped and invented tokens need no database query. */
export function isTokenShaped(text: string): boolean {
  if (!shape.test(text)) return false;
  const end = text.length - checksumLength;
  return checksum(text.slice(0, end)) === text.slice(end);
}

/** Returns the digest that is stored. Tokens have enough entropy to need neither salt nor a slow hash. */
export const tokenDigest = (token: string): Uint8Array => hash('sha256', token, 'buffer');

/** Returns the CRC-32 of a text in base62, padded with zeros. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < checksumLength; index += 1) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
