import { setTimeout as wait } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { maxCounted, type QueueStats, queueStats } from '../../storage/queries/queue-stats.ts';
import type { Store } from '../../storage/store.ts';

/** Metrics for operators, in the Prometheus format. No label identifies a company. */
export interface RequestMetrics {
  /** Counts an internal error. */
  countError(): void;
  countRequest(request: { operation: string | undefined; status: number; durationMs: number }): void;
  /** Notes whether a worker runs in this process. */
  noteWorker(runs: boolean): void;
  countAttempt(attempt: { outcome: string; exhausted: boolean; disabled: boolean; ms: number }): void;
}

export interface Metrics extends RequestMetrics {
  /** Returns all metrics as text. */
  show(): Promise<{ type: string; text: string }>;
}

// Timeout for reading the queue. After it, the last known state is exported, because Prometheus would give up after 10 s and
// consider the process down.
const timeoutMs = 1_000;

/** The default metrics of Node that alerts and the dashboard use. */
const ofProcess = [
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
  const registers = [register];
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults });
  for (const name of ofProcess) {
    const metric = defaults.getSingleMetric(name);
    if (metric) register.registerMetric(metric);
  }
  const requests = new Counter({
    name: 'parley_requests_total',
    help: 'Requests, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'parley_request_duration_seconds',
    help: 'Request duration, in seconds.',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 10],
    registers,
  });
  // Counters start at 0, because an increase from no value to the first one would not be visible.
  const faults = new Counter({
    name: 'parley_internal_errors_total',
    help: 'Internal errors. The log has the details.',
    registers,
  });
  const unavailable = new Counter({
    name: 'parley_unavailable_total',
    help: 'Requests that were shed with 503.',
    registers,
  });
  const attempts = new Counter({
    name: 'parley_delivery_attempts_total',
    help: 'Webhook requests, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'parley_delivery_attempt_duration_seconds',
    help: 'Webhook request duration, in seconds.',
    buckets: [0.01, 0.05, 0.25, 1, 5, 15],
    registers,
  });
  const exhausted = new Counter({
    name: 'parley_deliveries_exhausted_total',
    help: 'Deliveries that became exhausted after their last attempt.',
    registers,
  });
  const disabled = new Counter({
    name: 'parley_webhooks_disabled_total',
    help: 'Webhooks that were disabled because their URL returned 410 or failed for days.',
    registers,
  });
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name, help, labelNames, registers });
  const waiting = gauge(
    'parley_deliveries_waiting',
    `Deliveries that wait for an attempt. More than ${maxCounted} are not counted.`,
  );
  const oldest = gauge(
    'parley_delivery_oldest_due_age_seconds',
    'Time since the oldest delivery became due that is not held up by its receiver, in seconds.',
  );
  const worker = gauge('parley_delivery_worker', 'Whether this process sends webhooks: 1 or 0.');
  worker.set(0);

  gauge('parley_build_info', 'Version of the service.', ['version']).set({ version }, 1);
  const reachable = gauge('parley_database_reachable', 'Whether the database is available: 1 or 0.');
  const inFlight = gauge('parley_database_in_flight', 'Database operations in flight.');
  const forTurn = gauge('parley_database_queued', 'Database operations that wait for a slot.');

  function lookAtStore(): void {
    const load = store.health();
    reachable.set(load.isReachable ? 1 : 0);
    inFlight.set(load.inFlight);
    forTurn.set(load.waiting);
  }

  let known: QueueStats = { waiting: 0, lateSince: undefined };

  async function lookIntoQueue(): Promise<void> {
    const patience = new AbortController();
    const size = await Promise.race([
      store.read((db) => queueStats(db, now())).catch(() => undefined),
      wait(timeoutMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
    if (size) known = size;
    waiting.set(known.waiting);
    oldest.set(known.lateSince === undefined ? 0 : (now() - known.lateSince) / 1_000);
  }

  return {
    countRequest({ operation = 'none', status, durationMs }) {
      requests.inc({ operation, status });
      if (status === 503) unavailable.inc();
      requestSeconds.observe({ operation }, durationMs / 1_000);
    },
    countError: () => faults.inc(),
    noteWorker: (runs) => worker.set(runs ? 1 : 0),
    countAttempt({ outcome, exhausted: last, disabled: off, ms }) {
      attempts.inc({ outcome });
      attemptSeconds.observe(ms / 1_000);
      if (last) exhausted.inc();
      if (off) disabled.inc();
    },
    async show() {
      lookAtStore();
      await lookIntoQueue();
      return { type: register.contentType, text: await register.metrics() };
    },
  };
}
