import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import express, { type Request, type Response, type Router } from 'express';
import type { ContractDocument } from '../contract/operation.ts';
import { logPageRequest, type PageRecord } from './page-log.ts';

interface ContractPages {
  document: ContractDocument & { info?: { title: string; version: string } };
  /** Whether the portal is served at `/docs`. */
  hasPortal: boolean;
  onPage: (record: PageRecord) => void;
}

/**
 * Serves the contract as JSON and YAML. Both are compressed once and have an ETag, so that a request costs little. `GET /`
 * returns the API's name and version, and the paths of its documentation, contract and health check.
 */
export function serveContract({ document, hasPortal, onPage }: ContractPages): Router {
  const index = {
    name: document.info?.title,
    version: document.info?.version,
    documentation: hasPortal ? '/docs/' : null,
    contract: '/openapi.json',
    health: '/readyz',
  };
  const forms: Record<string, () => Promise<StaticPage>> = {
    '/openapi.json': once(async () =>
      staticPage('application/json; charset=utf-8', JSON.stringify(document, null, 2)),
    ),
    '/openapi.yaml': once(async () => {
      // The package is loaded on demand, because it would slow down startup.
      const { stringify } = await import('yaml');
      return staticPage(
        'application/yaml; charset=utf-8',
        stringify(document, { aliasDuplicateObjects: false }),
      );
    }),
  };
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/', logPageRequest('/', onPage), (_req, res) => void res.json(index));
  for (const [path, form] of Object.entries(forms))
    router.get(path, logPageRequest(path, onPage), async (req, res) => sendStatic(req, res, await form()));
  return router;
}

interface StaticPage {
  type: string;
  etag: string;
  plain: Buffer;
  gzip: Buffer;
}

function staticPage(type: string, text: string): StaticPage {
  const plain = Buffer.from(text);
  const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { type, etag, plain, gzip: gzipSync(plain, { level: 9 }) };
}

function sendStatic(req: Request, res: Response, { type, etag, plain, gzip }: StaticPage): void {
  const isGzip = req.acceptsEncodings('gzip') === 'gzip';
  // Each encoding is a separate representation, which needs its own ETag (RFC 9110, section 8.8.3.3).
  res.set({
    'Cache-Control': 'no-cache',
    ETag: isGzip ? `"${etag}-gzip"` : `"${etag}"`,
  });
  res.vary('Accept-Encoding');
  if (isGzip) res.set('Content-Encoding', 'gzip');
  res.type(type).send(isGzip ? gzip : plain);
}

/** Caches the first result, but not failures. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
