import { setTimeout as wait } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type QueueStats, queueStats } from '../../storage/queries/delivery-queue.ts';
import type { Store } from '../../storage/store.ts';
import { defineMetrics } from './metric-definitions.ts';

/** Metrics for operators, in the Prometheus format. No label identifies a company. */
export interface RequestMetrics {
  /** Counts an internal error. */
  countError(): void;
  countRequest(request: { operation: string | undefined; status: number; durationMs: number }): void;
  /** Notes whether a worker runs in this process. */
  noteWorker(runs: boolean): void;
  countAttempt(attempt: { outcome: string; exhausted: boolean; disabled: boolean }): void;
}

export interface Metrics extends RequestMetrics {
  /** Returns all metrics as text. */
  show(): Promise<{ type: string; text: string }>;
}

// Timeout for reading the queue. After it, the last known state is exported, because Prometheus would give up after 10 s and
// consider the process down.
const timeoutMs = 1_000;

/** The default metrics of Node that alerts use, or an operator compares with them. */
export const processMetrics = [
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'nodejs_eventloop_lag_p99_seconds',
];

/**
 * @param now returns milliseconds since 1970
 * @param version the version of Parley
 */
export function createMetrics(store: Store, now: () => number, version = ''): Metrics {
  const register = new Registry();
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults });
  for (const name of processMetrics) {
    const metric = defaults.getSingleMetric(name);
    if (metric) register.registerMetric(metric);
  }
  const metrics = defineMetrics(register);
  metrics.worker.set(0);
  metrics.build.set({ version }, 1);

  function lookAtStore(): void {
    const load = store.health();
    metrics.reachable.set(load.state === 'ok' ? 1 : 0);
    metrics.queued.set(load.waiting);
  }

  let known: QueueStats = { waiting: 0, lateSince: undefined };

  async function lookIntoQueue(): Promise<void> {
    const size = await Promise.race([
      store.read((db) => queueStats(db, now())).catch(() => undefined),
      wait(timeoutMs, undefined, { ref: false }),
    ]);
    if (size) known = size;
    metrics.waiting.set(known.waiting);
    metrics.oldest.set(known.lateSince === undefined ? 0 : (now() - known.lateSince) / 1_000);
  }

  return {
    countRequest({ operation = 'none', status, durationMs }) {
      metrics.requests.inc({ operation, status });
      if (status === 503) metrics.unavailable.inc();
      metrics.requestSeconds.observe({ operation }, durationMs / 1_000);
    },
    countError: () => metrics.faults.inc(),
    noteWorker: (runs) => metrics.worker.set(runs ? 1 : 0),
    countAttempt({ outcome, exhausted: last, disabled: off }) {
      metrics.attempts.inc({ outcome });
      if (last) metrics.exhausted.inc();
      if (off) metrics.disabled.inc();
    },
    async show() {
      lookAtStore();
      await lookIntoQueue();
      return { type: register.contentType, text: await register.metrics() };
    },
  };
}
