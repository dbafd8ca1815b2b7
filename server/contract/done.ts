import type { Schemas } from './handler.ts';

/** The body of an update or a deletion that was done (D24). */
export const done = (message: string): Schemas['Done'] => ({ code: 20000, message, fields: '' });
