import cors from 'cors';
import type { Request, RequestHandler } from 'express';

/**
 * Creates two middleware functions for requests from allowed origins: one adds CORS headers to responses, the other
 * responds to preflight requests. Requests from other origins pass through unchanged. The pipeline rejects their
 * preflight requests, because the contract has no OPTIONS (D29).
 */
export function createCors(isAllowed: (origin: string) => boolean): {
  addHeaders: RequestHandler;
  answerPreflight: RequestHandler;
} {
  const allow = cors({ origin: true, exposedHeaders: '*', maxAge: 600 });
  const step =
    (applies: (req: Request) => boolean): RequestHandler =>
    (req, res, next) => {
      const { origin } = req.headers;
      if (origin !== undefined && isAllowed(origin) && applies(req)) allow(req, res, next);
      else next();
    };
  return {
    addHeaders: step((req) => req.method !== 'OPTIONS'),
    answerPreflight: step(
      (req) => req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined,
    ),
  };
}
