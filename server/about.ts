import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { ContractDocument } from './pipeline/contract.ts';
import { requestIdFrom } from './pipeline/request-id.ts';
import { send } from './pipeline/write.ts';

/** What the log may know of a request for a public page. */
export interface PageRecord {
  page: string;
  requestId: string;
  method: string;
  status: number;
  durationMs: number;
}

export interface Probes {
  /** Whether the database responds and is not known to be corrupted. */
  databaseState: () => Promise<'ok' | 'away' | 'damaged'>;
  /** Returns false from the start of shutdown. */
  isReady: () => boolean;
  onPage: (record: PageRecord) => void;
}

/**
 * Liveness and readiness. Probes are answered under overload too, because an orchestrator restarts a process whose liveness
 * probe fails. So they must cost no more than shedding them: they do not pass through Express.
 * @returns a listener that returns false if the request is no probe
 */
export function createProbes({ databaseState, isReady, onPage }: Probes) {
  const sharedState = shareForASecond(databaseState);
  const respond = (req: IncomingMessage, res: ServerResponse, page: string, status: number, body: object) => {
    const requestId = requestIdFrom(req.headers['x-request-id']);
    const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/json; charset=utf-8' };
    send(req, res, { status, headers, payload: JSON.stringify(body) });
    onPage({ page, requestId, method: req.method ?? '', status, durationMs: 0 });
  };
  const probes: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
    '/healthz': (req, res) => respond(req, res, '/healthz', 200, { status: 'ok' }),
    '/readyz': async (req, res) => {
      const database = await sharedState();
      const ready = isReady() && database === 'ok';
      respond(req, res, '/readyz', ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', database });
    },
  };
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const path = (req.url ?? '').split('?', 1)[0] ?? '';
    const probe = Object.hasOwn(probes, path) ? probes[path] : undefined;
    if (!probe || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    probe(req, res);
    return true;
  };
}

export interface ContractPages {
  document: ContractDocument;
  onPage: (record: PageRecord) => void;
}

/** The contract as JSON and as YAML, compressed once and with an ETag, so that a request costs little. */
export function serveContract({ document, onPage }: ContractPages): Router {
  const forms: Record<string, () => Promise<StaticPage>> = {
    '/openapi.json': once(async () =>
      staticPage('application/json; charset=utf-8', JSON.stringify(document, null, 2)),
    ),
    '/openapi.yaml': once(async () => {
      // Loaded on demand, because it would delay the start.
      const { stringify } = await import('yaml');
      return staticPage(
        'application/yaml; charset=utf-8',
        stringify(document, { aliasDuplicateObjects: false }),
      );
    }),
  };
  const router = exactRouter();
  for (const [path, form] of Object.entries(forms))
    router.get(path, reportPage(path, onPage), async (req, res) => sendStatic(req, res, await form()));
  return router;
}

/** Adds the headers that all public pages have, and reports the response when it is out. */
export const reportPage =
  (page: string, onPage: (record: PageRecord) => void): RequestHandler =>
  (req, res, next) => {
    const startedAt = performance.now();
    const requestId = requestIdFrom(req.headers['x-request-id']);
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

const exactRouter = (): Router => express.Router({ caseSensitive: true, strict: true });

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
  // Each encoding is a representation of its own (RFC 9110, 8.8.3.3).
  res.set({
    'Cache-Control': 'no-cache',
    ETag: isGzip ? `"${etag}-gzip"` : `"${etag}"`,
    Vary: 'Accept-Encoding',
  });
  if (isGzip) res.set('Content-Encoding', 'gzip');
  res.type(type).send(isGzip ? gzip : plain);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const sharedMs = 1_000;

/** Callers within a second get the same result. */
function shareForASecond<T>(find: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!last || at - last.at >= sharedMs) last = { at, result: find() };
    return last.result;
  };
}
