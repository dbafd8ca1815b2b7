import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { readRequestId } from '../contract/request-id.ts';
import { errorBody, overloaded } from '../errors.ts';
import { sendResponse } from './express/send-response.ts';

/** Sets `X-Request-Id` of the request, so that all later steps use the same ID (D27). */
export const setRequestId: RequestHandler = (req, _res, next) => {
  req.headers['x-request-id'] = readRequestId(req.headers['x-request-id']);
  next();
};

/**
 * Combines several middleware functions into one, which Express calls once. Each layer of Express costs as much as
 * several checks of a request.
 */
export const inSequence =
  (...steps: readonly RequestHandler[]): RequestHandler =>
  (req, res, next) =>
    run(steps, 0, req, res, next);

function run(
  steps: readonly RequestHandler[],
  at: number,
  req: Request,
  res: Response,
  next: NextFunction,
): void {
  const step = steps[at];
  if (!step) {
    next();
    return;
  }
  const goOn = (error?: unknown) => (error ? next(error) : run(steps, at + 1, req, res, next));
  // As in Express 5, a thrown error and a rejected promise go to the error handler.
  try {
    const result: unknown = step(req, res, goOn as NextFunction);
    if (result instanceof Promise) result.catch(next);
  } catch (error) {
    next(error);
  }
}

/** Calls a middleware only for matching paths, so that other requests do not pay for the middleware's routing. */
export const forPaths =
  (isFor: (path: string) => boolean, middleware: RequestHandler): RequestHandler =>
  (req, res, next) =>
    isFor(req.url) ? middleware(req, res, next) : next();

const payload = JSON.stringify(errorBody(overloaded));

/** Rejects a request without processing it. Under overload, this must cost a fraction of any other response. */
export function sendOverloaded(req: IncomingMessage, res: ServerResponse): void {
  sendResponse(req, res, {
    status: overloaded.status,
    headers: {
      'X-Request-Id': readRequestId(req.headers['x-request-id']),
      'Content-Type': 'application/json',
      ...overloaded.headers,
    },
    payload,
  });
}
