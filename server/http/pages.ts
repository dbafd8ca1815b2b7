import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { readRequestId } from '../contract/request-id.ts';
import { portalPolicy } from '../lib/portal-csp.ts';
import { serveCompressed } from './compressed-files.ts';

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

interface ContractPages {
  document: { info: { title: string; version: string } };
  /** Whether the portal is served at `/docs`. */
  hasPortal: boolean;
  onPage: (record: PageRecord) => void;
}

const contract = '/openapi.json';
const generated = join(import.meta.dirname, '../../generated');

/**
 * Serves the contract. `GET /` returns the API's name and version, and the paths of its documentation, contract and health
 * check.
 */
export function serveContract({ document, hasPortal, onPage }: ContractPages): Router {
  const index = {
    name: document.info.title,
    version: document.info.version,
    documentation: hasPortal ? '/docs/' : null,
    contract,
    health: '/readyz',
  };
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/', logPageRequest('/', onPage), (_req, res) => void res.json(index));
  router.get(
    contract,
    logPageRequest(contract, onPage),
    (_req, res, next) => {
      res.set('Cache-Control', 'no-cache');
      next();
    },
    serveCompressed(generated),
    express.static(generated, { cacheControl: false, acceptRanges: false }),
  );
  return router;
}

/** Browsers ignore this directive in the policy that each page contains. */
const onlyInHeaders = "frame-ancestors 'none'";

/** Says in place of the pages of the portal how to build it. */
const sayNotBuilt: RequestHandler = (req, res, next) => {
  if (!['GET', 'HEAD'].includes(req.method) || !/^\/([\w/.-]+\.html)?$/.test(req.path)) return next();
  res
    .status(404)
    .type('text')
    .send(
      'The documentation is not built yet. Run npm run docs:build, and restart the service.\nThe contract is at /openapi.json.\n',
    );
};

/**
 * Serves the portal at `/docs`.
 * @param folder the output of `npm run docs:build`, if it was built
 */
export function servePortal(folder: string | undefined): RequestHandler {
  if (folder === undefined) return sayNotBuilt;
  const portal = express.Router({ caseSensitive: true });
  portal.use((req, res, next) => {
    if (!['GET', 'HEAD'].includes(req.method)) return next('router');
    res.set({
      'Content-Security-Policy': `${portalPolicy(req.path.slice(1))}; ${onlyInHeaders}`,
      'Referrer-Policy': 'no-referrer',
      // Browsers keep the files, and ask whether they have changed.
      'Cache-Control': 'no-cache',
    });
    next();
  });
  // Offers this service as a server for the requests of the reference.
  portal.get('/service.js', (_req, res) => {
    res.type('text/javascript').send('window.parleyService = location.origin;\n');
  });
  portal.use(serveCompressed(folder));
  portal.use(express.static(folder, { cacheControl: false, acceptRanges: false }));
  portal.use(async (req, res) => {
    const page = await readFile(join(folder, '404.html'), 'utf8');
    // The page is shown at any path depth, so its links begin with the path for which the portal was built.
    const [, root = '/'] = /data-root="([^"]*)"/.exec(page) ?? [];
    res
      .status(404)
      .type('html')
      .send(page.replaceAll(`"${root}`, `"${req.baseUrl}/`));
  });
  // Handles a failed precondition (If-Match) and a deleted folder.
  portal.use(((error, _req, res, _next) => {
    const status = error.status ?? 404;
    const text = status === 412 ? 'The page has changed.' : 'This page does not exist.';
    res.status(status).type('text').send(`${text}\n`);
  }) satisfies ErrorRequestHandler);
  return portal;
}
