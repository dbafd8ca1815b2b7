import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { maxCounted } from '../../storage/queries/delivery-queue.ts';

/** Adds the service's own metrics to a registry. The guide on monitoring shows their `help`. */
export function defineMetrics(registry: Registry) {
  const registers = [registry];
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers });
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter<Label>({ name, help, labelNames, registers });
  return {
    requests: counter('parley_requests_total', 'requests, by operation and status', ['operation', 'status']),
    requestSeconds: new Histogram({
      name: 'parley_request_duration_seconds',
      help: 'duration of requests, by operation',
      labelNames: ['operation'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 10],
      registers,
    }),
    // Counters start at 0, because an increase from no value to the first one would not be visible.
    faults: counter('parley_internal_errors_total', 'internal errors; the log has the details'),
    unavailable: counter('parley_unavailable_total', 'requests that returned 503'),
    attempts: counter(
      'parley_delivery_attempts_total',
      'webhook requests, by outcome: 2xx to 5xx, timeout, connection, or forbidden (the address is not allowed). A request that cannot be signed counts as an internal error',
      ['outcome'],
    ),
    exhausted: counter('parley_deliveries_exhausted_total', 'deliveries whose last attempt failed'),
    disabled: counter(
      'parley_webhooks_disabled_total',
      'webhooks that were disabled because their URL returned 410 or failed for days',
    ),
    waiting: gauge(
      'parley_deliveries_waiting',
      `deliveries that wait for an attempt, or whose request is in flight; at most ${maxCounted.toLocaleString('en')} are counted`,
    ),
    oldest: gauge(
      'parley_delivery_oldest_due_age_seconds',
      'time since the oldest delivery became due that its receiver does not hold up: its webhook is enabled, does not fail, and has no request in flight',
    ),
    worker: gauge('parley_delivery_worker', '1 if the process sends webhooks, otherwise 0'),
    reachable: gauge('parley_database_reachable', '1 if the database is available, otherwise 0'),
    queued: gauge('parley_database_queued', 'database operations that wait for a slot'),
    build: gauge('parley_build_info', 'always 1; the label version is the version of the service', [
      'version',
    ]),
  };
}
