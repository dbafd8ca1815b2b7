import { DiagLogLevel, diag, type Tracer, trace } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { PrometheusMetric } from './metric-data.ts';

/** Exports traces and metrics to an OpenTelemetry collector, if one is configured. */
export interface Telemetry {
  /** Creates spans. Without a collector, spans only continue the trace of their parent. */
  tracer: Tracer;
  /** Exports metrics every minute. Undefined if no collector is configured. */
  exportMetrics?: (read: () => Promise<PrometheusMetric[]>) => void;
  /** Exports what is left, and stops. */
  stop: () => Promise<void>;
}

// An unreachable collector delays the end of the process by at most this.
const stopMs = 2_000;

/** Continues traces, and exports nothing. */
export const noTelemetry: Telemetry = { tracer: trace.getTracer('parley'), stop: async () => {} };

/**
 * Starts the export of traces and metrics. The packages of OpenTelemetry read the other `OTEL_EXPORTER_OTLP_…`
 * variables themselves, such as headers, certificates and timeouts.
 */
export async function startTelemetry(
  { otlpEndpoint, traceRatio }: Pick<Config, 'otlpEndpoint' | 'traceRatio'>,
  { log, version }: { log: Logger; version: string },
): Promise<Telemetry> {
  if (otlpEndpoint === null) return noTelemetry;
  // Loaded on demand: processes without a collector start faster.
  const [sdkTrace, sdkMetrics, resources, { OTLPTraceExporter }, { OTLPMetricExporter }, { toMetricData }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/exporter-metrics-otlp-http'),
      import('./metric-data.ts'),
    ]);
  const warn = (message: string) => log.warn({ reason: message }, 'telemetry export failed');
  const ignore = () => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = resources
    .resourceFromAttributes({ 'service.name': 'parley', 'service.version': version })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const tracers = new sdkTrace.TracerProvider({
    resource,
    sampler: new sdkTrace.ParentBasedSampler({ root: new sdkTrace.TraceIdRatioBasedSampler(traceRatio) }),
    spanProcessors: [new sdkTrace.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  let meters: { shutdown: () => Promise<void> } | undefined;
  const startTime = hrTimeNow();
  return {
    tracer: tracers.getTracer('parley', version),
    exportMetrics(read) {
      const producer = {
        async collect() {
          const metrics = toMetricData(await read(), startTime, hrTimeNow());
          const scopeMetrics = [{ scope: { name: 'parley', version }, metrics }];
          return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
        },
      };
      const exporter = new OTLPMetricExporter();
      const reader = new sdkMetrics.PeriodicExportingMetricReader({ exporter, metricProducers: [producer] });
      meters = new sdkMetrics.MeterProvider({ resource, readers: [reader] });
    },
    async stop() {
      const late = new Promise((resolve) => setTimeout(resolve, stopMs).unref());
      await Promise.race([Promise.allSettled([tracers.shutdown(), meters?.shutdown()]), late]);
    },
  };
}

/** Returns the time in the form of OpenTelemetry: seconds and nanoseconds since 1970. */
function hrTimeNow(): [number, number] {
  const now = Date.now();
  return [Math.floor(now / 1_000), (now % 1_000) * 1_000_000];
}
