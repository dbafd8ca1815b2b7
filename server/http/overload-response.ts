import type { IncomingMessage, ServerResponse } from 'node:http';
import { overloadDetails } from '../contract/errors.ts';
import { readRequestId } from '../contract/request-id.ts';
import { errorBody, errorResponse } from '../errors.ts';
import { sendResponse } from './express/send-response.ts';

const { status, headers, ...overloaded } = errorResponse('unavailable', overloadDetails);
const payload = JSON.stringify(errorBody({ status, headers, ...overloaded }));

/** Rejects a request without processing it. Under overload, this must cost a fraction of any other response. */
export function sendOverloaded(req: IncomingMessage, res: ServerResponse): void {
  sendResponse(req, res, {
    status,
    headers: {
      'X-Request-Id': readRequestId(req.headers['x-request-id']),
      'Content-Type': 'application/json',
      ...headers,
    },
    payload,
  });
}
