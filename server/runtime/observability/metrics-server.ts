import type { Server } from 'node:http';
import { contractVersion } from '../../../generated/operations.ts';
import { createProbes } from '../../http/probes.ts';
import { listen } from '../../lib/listen.ts';
import { createServer } from '../../lib/node-http.ts';
import { serverUrl } from '../../lib/server-url.ts';
import type { Store } from '../../storage/store.ts';
import type { Config } from '../config/config.ts';
import type { RequestMetrics } from './metrics.ts';

/** Replaces the metrics in processes without `/metrics`. */
const none: RequestMetrics = { countError() {}, countRequest() {}, noteWorker() {}, countAttempt() {} };

/**
 * Creates the metrics if a metrics port is set, and serves `/metrics`, `/healthz` and `/readyz` on it.
 * @param isReady returns false until the process is ready, and once shutdown has begun
 */
export async function startMetricsServer(
  store: Store,
  { host, metricsPort }: Pick<Config, 'host' | 'metricsPort'>,
  { isReady, now }: { isReady: () => boolean; now: () => number },
): Promise<RequestMetrics & { server?: Server; address?: string }> {
  if (metricsPort === null) return none;
  // Loaded on demand: processes without metrics start faster.
  const { createMetrics } = await import('./metrics.ts');
  const metrics = createMetrics(store, now, contractVersion);
  const probe = createProbes({ isReady, store });
  const server = createServer((req, res) =>
    probe(req, res, async () => {
      const isRead = req.method === 'GET' || req.method === 'HEAD';
      if (!isRead || req.url?.split('?')[0] !== '/metrics') return res.writeHead(404).end();
      const { type, text } = await metrics.show();
      return res.writeHead(200, { 'content-type': type }).end(text);
    }),
  );
  await listen(
    server,
    { port: metricsPort, host },
    'PARLEY_METRICS_PORT and HOST set where metrics are served.',
  );
  return { ...metrics, server, address: `${serverUrl(server, host)}/metrics` };
}
