import { hash } from 'node:crypto';

/**
 * A strong validator: it differs whenever anything that is shown differs (D35).
 * @param json a representation as it goes out
 * @returns it in its quotes, as the header `ETag` has it
 */
export const entityTag = (json: string): string => `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
