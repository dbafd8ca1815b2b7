import { setTimeout as wait } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { queueStats } from '../storage/queries/delivery-queue.ts';
import type { Store } from '../storage/store.ts';

/** Metrics for operators, in the format of Prometheus. Labels identify no company. */
export interface RequestMetrics {
  /** Counts an internal error. */
  countError(): void;
  countRequest(request: { operation: string | undefined; status: number; durationMs: number }): void;
  countAttempt(attempt: { outcome: string; exhausted: boolean; disabled: boolean; ms: number }): void;
}

export interface Metrics extends RequestMetrics {
  /** Returns all metrics as text. */
  show(): Promise<{ type: string; text: string }>;
}

// The other metrics are shown also if the database is unavailable; alerts of their own report that.
const unknown = Number.NaN;

// Prometheus gives up after 10 s, and takes the process for dead.
const patienceMs = 1_000;

/**
 * @param now returns milliseconds since 1970
 * @param version of the program
 */
export function createMetrics(store: Store, now: () => number, version = ''): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: 'parley_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'parley_request_duration_seconds',
    help: 'How long answers took.',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 10],
    registers,
  });
  // Counters start at 0: an increase from no value to the first one would not be visible.
  const faults = new Counter({
    name: 'parley_internal_errors_total',
    help: 'Faults of this program; the log tells of each.',
    registers,
  });
  const unavailable = new Counter({
    name: 'parley_unavailable_total',
    help: 'Requests that were answered with 503.',
    registers,
  });
  const attempts = new Counter({
    name: 'parley_delivery_attempts_total',
    help: 'Calls to webhooks, by what came of them.',
    labelNames: ['outcome'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'parley_delivery_attempt_duration_seconds',
    help: 'How long calls to webhooks took.',
    buckets: [0.01, 0.05, 0.25, 1, 5, 15],
    registers,
  });
  const exhausted = new Counter({
    name: 'parley_deliveries_exhausted_total',
    help: 'Deliveries that this process gave up after their last attempt.',
    registers,
  });
  const disabled = new Counter({
    name: 'parley_webhooks_disabled_total',
    help: 'Webhooks that this process switched off: their address is gone, or fails for days.',
    registers,
  });
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name, help, labelNames, registers });
  const waiting = gauge('parley_deliveries_pending', 'Deliveries that are waiting for an attempt.');
  const kept = gauge('parley_deliveries_exhausted', 'Deliveries that were given up and are kept.');
  const oldest = gauge(
    'parley_delivery_oldest_due_age_seconds',
    'How long the oldest delivery has been due.',
  );

  gauge('parley_build_info', 'Which version this is.', ['version']).set({ version }, 1);
  const reachable = gauge('parley_database_reachable', 'Whether the database answers: 1, or 0.');
  const inFlight = gauge('parley_database_in_flight', 'What is at work on the database for this process.');
  const forTurn = gauge('parley_database_queued', 'What waits until it may be at work on the database.');

  function lookAtStore(): void {
    const load = store.health();
    reachable.set(load.isReachable ? 1 : 0);
    inFlight.set(load.inFlight);
    forTurn.set(load.waiting);
  }

  async function lookIntoQueue(): Promise<void> {
    const patience = new AbortController();
    const size = await Promise.race([
      store.read((db) => queueStats(db, now())).catch(() => undefined),
      wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
    waiting.set(size?.waiting ?? unknown);
    kept.set(size?.exhausted ?? unknown);
    oldest.set(size ? (now() - (size.oldestDueAt ?? now())) / 1_000 : unknown);
  }

  return {
    countRequest({ operation = 'none', status, durationMs }) {
      requests.inc({ operation, status });
      if (status === 503) unavailable.inc();
      requestSeconds.observe({ operation }, durationMs / 1_000);
    },
    countError: () => faults.inc(),
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
