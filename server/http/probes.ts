import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequestId } from '../contract/request-id.ts';
import type { Store } from '../storage/store.ts';
import { sendResponse } from './express/send-response.ts';
import type { PageRecord } from './pages.ts';

interface ProbeOptions {
  store: Pick<Store, 'health'>;
  /** Returns false once shutdown has begun. */
  isReady: () => boolean;
  onProbe?: (record: PageRecord) => void;
}

/**
 * Serves the liveness probe `/healthz` and the readiness probe `/readyz`. Both respond even under overload, because an
 * orchestrator restarts a process whose liveness probe fails.
 */
export function createProbes({ store, isReady, onProbe = () => {} }: ProbeOptions) {
  const results: Record<string, () => { status: number; body: object }> = {
    '/healthz': () => ({ status: 200, body: { status: 'ok' } }),
    '/readyz': () => {
      const database = store.health().state;
      const ready = isReady() && database === 'ok';
      return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', database } };
    },
  };
  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const page = (req.url ?? '').split('?', 1)[0] ?? '';
    const result = Object.hasOwn(results, page) ? results[page] : undefined;
    const { method = '' } = req;
    if (!result || (method !== 'GET' && method !== 'HEAD')) {
      next();
      return;
    }
    const startedAt = performance.now();
    const requestId = readRequestId(req.headers['x-request-id']);
    const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/json; charset=utf-8' };
    const { status, body } = result();
    sendResponse(req, res, { status, headers, payload: JSON.stringify(body) });
    onProbe({ page, requestId, method, status, durationMs: performance.now() - startedAt });
  };
}
