import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import compression from 'compression';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';

/**
 * Returns a Content-Security-Policy. Pages load nothing from other origins. `connect-src *` is for the API console,
 * which connects to servers that the reader chooses.
 */
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
// The API console is a third-party component that adds inline styles to its page.
const policyOfConsole = policyWith("'self' 'unsafe-inline'");

/**
 * Serves the portal at `/docs`.
 * @param folder the output of `npm run docs:build`
 */
export function servePortal(folder: string): RequestHandler {
  const portal = express.Router({ caseSensitive: true });
  portal.use((req, res, next) => {
    if (!['GET', 'HEAD'].includes(req.method)) return next('router');
    res.set({
      'Content-Security-Policy': req.path === '/console.html' ? policyOfConsole : policy,
      'Referrer-Policy': 'no-referrer',
      // Browsers keep the files, and ask whether they have changed.
      'Cache-Control': 'no-cache',
    });
    next();
  });
  portal.use(compression());
  // Makes this service the default server of the API console.
  portal.get('/service.js', (_req, res) => {
    res.type('text/javascript').send('window.parleyService = location.origin;\n');
  });
  portal.use(express.static(folder, { cacheControl: false, acceptRanges: false }));
  portal.use(async (req, res) => {
    const page = await readFile(join(folder, '404.html'), 'utf8');
    // The page may be shown at any path depth, so its relative links need a base URL.
    res
      .status(404)
      .type('html')
      .send(page.replace('<head>', `<head>\n<base href="${req.baseUrl}/">`));
  });
  // Handles a failed precondition (If-Match) and a deleted folder.
  portal.use(((error, _req, res, _next) => {
    const status = error.status ?? 404;
    const text = status === 412 ? 'The page has changed.' : 'This page does not exist.';
    res.status(status).type('text').send(`${text}\n`);
  }) satisfies ErrorRequestHandler);
  return portal;
}
