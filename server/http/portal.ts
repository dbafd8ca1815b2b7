import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';

/** Nothing is loaded from elsewhere; the console alone asks the servers that its reader chooses. */
const policyWith = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    'connect-src *',
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const policy = policyWith("'self'");
// The renderer of the reference, which is not ours, writes styles into its page.
const policyOfReference = policyWith("'self' 'unsafe-inline'");

/**
 * The portal, at `/docs`, where it has been built.
 * @param folder what `npm run docs:build` has made
 */
export function servePortal(folder: string): RequestHandler {
  const portal = express.Router({ caseSensitive: true });
  portal.use((req, res, next) => {
    if (!['GET', 'HEAD'].includes(req.method)) return next('router');
    res.set({
      'Content-Security-Policy': req.path === '/reference.html' ? policyOfReference : policy,
      'Referrer-Policy': 'no-referrer',
    });
    next();
  });
  // The console's first choice is the service that it came from.
  portal.get('/service.js', (_req, res) => {
    res.type('text/javascript').send('window.parleyService = location.origin;\n');
  });
  portal.use(express.static(folder, { cacheControl: false, acceptRanges: false }));
  portal.use(async (req, res) => {
    const page = await readFile(join(folder, '404.html'), 'utf8');
    // It is shown at any depth, and its links are relative.
    res
      .status(404)
      .type('html')
      .send(page.replace('<head>', `<head>\n<base href="${req.baseUrl}/">`));
  });
  // A condition that does not hold (If-Match), or a folder that has gone.
  portal.use(((error, _req, res, _next) => {
    res
      .status(error.status ?? 404)
      .type('text')
      .send('There is no such page.\n');
  }) satisfies ErrorRequestHandler);
  return portal;
}
