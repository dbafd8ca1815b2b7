import type { RequestHandler } from 'express';
import { readRequestId } from '../contract/request-id.ts';

/** A log record of a request for a public page or a probe. */
export interface PageRecord {
  page: string;
  requestId: string;
  method: string;
  status: number;
  durationMs: number;
}

/** Adds the headers of public pages, and reports each response after it was sent. */
export const logPageRequest =
  (page: string, onPage: (record: PageRecord) => void): RequestHandler =>
  (req, res, next) => {
    const startedAt = performance.now();
    const requestId = readRequestId(req.headers['x-request-id']);
    res.set({ 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': requestId });
    res.once('finish', () =>
      onPage({
        page,
        requestId,
        method: req.method,
        status: res.statusCode,
        durationMs: performance.now() - startedAt,
      }),
    );
    next();
  };
