import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'ply_live_';
const secretLength = 30;
const checksumLength = 6;

const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** A new token: prefix, 178 bits of chance, checksum (D30). */
export function mintToken(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return prefix + secret + checksum(prefix + secret);
}

/** Whether a text can be a token at all; what is mistyped or made up costs no look-up. */
export function isTokenShaped(text: string): boolean {
  if (!shape.test(text)) return false;
  const end = text.length - checksumLength;
  return checksum(text.slice(0, end)) === text.slice(end);
}

/** What is stored of a token. It holds enough chance that no salt or slow hash is needed. */
export const tokenDigest = (token: string): Uint8Array => hash('sha256', token, 'buffer');

/** CRC-32 in base62, filled up with zeros. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < checksumLength; index += 1) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
