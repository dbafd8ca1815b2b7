import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

const current = new AsyncLocalStorage<Span>();

/** Returns the span of the request or delivery that this code works for, if it is traced. */
export const currentSpan = (): Span | undefined => current.getStore();

/** Runs work for a span, including everything asynchronous that the work starts. */
export const withSpan = <T>(span: Span, work: () => T): T => current.run(span, work);

/** Returns the value of `traceparent` for the current span; null if there is no trace. */
export const currentTraceparent = (): string | null => {
  const span = currentSpan();
  return span ? formatTraceparent(span) : null;
};

/** Returns the trace ID of a `traceparent`; undefined if it is missing or invalid. */
export const traceIdOf = (traceparent: string | null): string | undefined =>
  traceparent === null ? undefined : parseTraceParent(traceparent)?.traceId;

/** Returns the ID of the current trace, for logs. */
export const currentTraceId = (): string | undefined => currentSpan()?.spanContext().traceId;

/** Formats `traceparent` (W3C Trace Context, version 00). */
export function formatTraceparent(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Returns the context of a `traceparent`, as the parent of new spans. An invalid value starts a new trace. */
export function parentOf(traceparent: string | null | undefined): Context {
  const parent = traceparent ? parseTraceParent(traceparent) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** Whether a span belongs to a trace. Without an exporter, only spans with a parent do. */
export const isTraced = (span: Span): boolean => trace.isSpanContextValid(span.spanContext());
