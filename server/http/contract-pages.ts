import { join } from 'node:path';
import express, { type Router } from 'express';
import { serveCompressed } from './compressed-files.ts';
import { logPageRequest, type PageRecord } from './page-log.ts';

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
