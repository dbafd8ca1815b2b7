import cors from 'cors';
import type { RequestHandler } from 'express';

/** Enables CORS for allowed origins. Other requests reach the contract, which has no OPTIONS (D29). */
export function allowOrigins(isAllowed: (origin: string) => boolean): RequestHandler {
  const allow = cors({ origin: true, exposedHeaders: '*', maxAge: 600 });
  return (req, res, next) => {
    const { origin } = req.headers;
    const plainOptions = req.method === 'OPTIONS' && !req.headers['access-control-request-method'];
    if (origin !== undefined && isAllowed(origin) && !plainOptions) allow(req, res, next);
    else next();
  };
}
