import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequestId } from '../contract/request-id.ts';
import { sendResponse } from './express/send-response.ts';
import type { PageRecord } from './page-log.ts';

export interface ProbeOptions {
  /** Returns `away` if the database does not respond, and `damaged` if it is known to be corrupted. */
  databaseState: () => Promise<'ok' | 'away' | 'damaged'>;
  /** Returns false once shutdown has begun. */
  isReady: () => boolean;
  onProbe?: (record: PageRecord) => void;
}

/**
 * Serves the liveness probe `/healthz` and the readiness probe `/readyz`. Both respond even under overload, because an
 * orchestrator restarts a process whose liveness probe fails.
 */
export function createProbes({ databaseState, isReady, onProbe = () => {} }: ProbeOptions) {
  const sharedState = shareForASecond(databaseState);
  const results: Record<string, () => Promise<{ status: number; body: object }>> = {
    '/healthz': async () => ({ status: 200, body: { status: 'ok' } }),
    '/readyz': async () => {
      const database = await sharedState();
      const ready = isReady() && database === 'ok';
      return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', database } };
    },
  };
  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const page = (req.url ?? '').split('?', 1)[0] ?? '';
    const result = Object.hasOwn(results, page) ? results[page] : undefined;
    if (!result || (req.method !== 'GET' && req.method !== 'HEAD')) {
      next();
      return;
    }
    const startedAt = performance.now();
    const requestId = readRequestId(req.headers['x-request-id']);
    const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/json; charset=utf-8' };
    result().then(({ status, body }) => {
      sendResponse(req, res, { status, headers, payload: JSON.stringify(body) });
      onProbe({
        page,
        requestId,
        method: req.method ?? '',
        status,
        durationMs: performance.now() - startedAt,
      });
    });
  };
}

const sharedMs = 1_000;

/** Calls `find` at most once a second. Calls in between share its last result. */
function shareForASecond<T>(find: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!last || at - last.at >= sharedMs) last = { at, result: find() };
    return last.result;
  };
}
