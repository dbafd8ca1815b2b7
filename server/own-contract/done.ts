import type { Schemas } from './handler.ts';

/** Returns the response body of an update or a deletion (D24). */
export const done = (message: string): Schemas['Done'] => ({ code: 20000, message, fields: '' });
