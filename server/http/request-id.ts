import type { RequestHandler } from 'express';
import { readRequestId } from '../pipeline/request-id.ts';

/** Sets `X-Request-Id` of the request, so that all later steps use the same ID (D27). */
export const setRequestId: RequestHandler = (req, _res, next) => {
  req.headers['x-request-id'] = readRequestId(req.headers['x-request-id']);
  next();
};
