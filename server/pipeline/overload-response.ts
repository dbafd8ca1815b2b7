import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, errorResponse } from '../errors.ts';
import { readRequestId } from './request-id.ts';
import { sendResponse } from './send-response.ts';

/** The answer to whom there is no room for. */
export const overloadedError = errorResponse('unavailable', {
  message: 'More is asked than can be answered at the moment. Ask again later.',
  headers: { 'Retry-After': '1' },
});

const payload = JSON.stringify(errorBody(overloadedError));

/** Answers a request without looking at it: this must take a fraction of what any other answer takes. */
export function sendOverloaded(req: IncomingMessage, res: ServerResponse): void {
  const headers = {
    'X-Request-Id': readRequestId(req.headers['x-request-id']),
    'Content-Type': 'application/json',
    ...overloadedError.headers,
  };
  sendResponse(req, res, { status: overloadedError.status, headers, payload });
}
