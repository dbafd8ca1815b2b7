import { setTimeout as wait } from 'node:timers/promises';
import { DiagLogLevel, diag, type Tracer, trace } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';

/** Exports traces to an OpenTelemetry collector, if one is configured. */
export interface Telemetry {
  /** Creates spans. Without a collector, spans only continue the trace of their parent. */
  tracer: Tracer;
  /** Exports what is left, and stops. */
  stop: () => Promise<void>;
}

// An unreachable collector delays the end of the process by at most this.
const stopMs = 2_000;

/** Continues traces, and exports nothing. */
export const noTelemetry: Telemetry = { tracer: trace.getTracer('parley'), stop: async () => {} };

/**
 * Starts the export of traces. The packages of OpenTelemetry read the other `OTEL_EXPORTER_OTLP_…` variables themselves, such
 * as headers, certificates and timeouts.
 */
export async function startTelemetry(
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
  { log, version }: { log: Logger; version: string },
): Promise<Telemetry> {
  if (otlpEndpoint === null) return noTelemetry;
  // Loaded on demand: processes without a collector start faster.
  const [sdkTrace, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
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
    spanProcessors: [new sdkTrace.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  return {
    tracer: tracers.getTracer('parley', version),
    async stop() {
      // The exporter repeats failed exports for longer than this, so that it has not reported them yet.
      const late = wait(stopMs, `The collector did not accept all spans within ${stopMs} ms.`, {
        ref: false,
      });
      const reason = await Promise.race([tracers.shutdown().catch(String), late]);
      if (reason) warn(reason);
    },
  };
}
