import { hash } from 'node:crypto';

/**
 * Returns a strong entity tag (D35).
 * @param json the representation as it is sent
 * @returns the value of the `ETag` header, with quotes
 */
export const entityTag = (json: string): string => `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
