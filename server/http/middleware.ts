import type { RequestHandler } from 'express';

/**
 * Your own Express middleware. It runs for every API request, after CORS and before the contract's pipeline, in this
 * order. If it throws, the client gets an error response of the error table.
 */
export const middleware: RequestHandler[] = [];
