import type { RequestHandler } from 'express';

/**
 * Your own Express middleware, in the order in which it runs. It runs for every API request, after CORS and load
 * shedding and before the contract's pipeline. If it throws, the client gets an error response in the API's format.
 */
export const middleware: RequestHandler[] = [];
