import express, { type Router } from 'express';
import type { ContractDocument } from '../contract/operation.ts';
import { logPageRequest, type PageRecord } from './page-log.ts';

export interface IndexPage {
  document: ContractDocument & { info?: { title: string; version: string } };
  /** Whether the portal is served at `/docs`. */
  hasPortal: boolean;
  onPage: (record: PageRecord) => void;
}

/** Serves `GET /`: the API's name and version, and the paths of its documentation, contract and health check. */
export function serveIndex({ document, hasPortal, onPage }: IndexPage): Router {
  const index = {
    name: document.info?.title,
    version: document.info?.version,
    documentation: hasPortal ? '/docs/' : null,
    contract: '/openapi.json',
    health: '/readyz',
  };
  const router = express.Router();
  router.get('/', logPageRequest('/', onPage), (_req, res) => void res.json(index));
  return router;
}
