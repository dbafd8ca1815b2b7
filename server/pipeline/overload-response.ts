import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, refusal } from '../errors.ts';
import { requestIdFrom } from './request-id.ts';
import { send } from './send-response.ts';

/** The answer to whom there is no room for. */
export const crowded = refusal('unavailable', {
  message: 'More is asked than can be answered at the moment. Ask again later.',
  headers: { 'Retry-After': '1' },
});

const payload = JSON.stringify(errorBody(crowded));

/** Answers a request without looking at it: this must take a fraction of what any other answer takes. */
export function turnAway(req: IncomingMessage, res: ServerResponse): void {
  const headers = {
    'X-Request-Id': requestIdFrom(req.headers['x-request-id']),
    'Content-Type': 'application/json',
    ...crowded.headers,
  };
  send(req, res, { status: crowded.status, headers, payload });
}
