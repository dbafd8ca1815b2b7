import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import { isOperationId, pathOf } from '../own-contract/handler.ts';
import { currentSpan, isTraced, parentOf, withSpan } from '../runtime/telemetry/trace-context.ts';

/** Continues the trace of each request, and reports a span for it. */
export const traceRequests =
  (tracer: Tracer): RequestHandler =>
  (req, res, next) => {
    const header = req.headers.traceparent;
    const parent = parentOf(typeof header === 'string' ? header : undefined);
    const attributes = { 'http.request.method': req.method };
    const span = tracer.startSpan(req.method, { kind: SpanKind.SERVER, attributes }, parent);
    if (!isTraced(span)) return next();
    res.once('close', () => {
      span.setAttribute('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    withSpan(span, next);
  };

/** The part of a request's log record that its span shows. It contains no personal data. */
interface TracedRequest {
  requestId: string;
  method: string;
  operation: string | undefined;
  caller: { companyId: number } | undefined;
}

/** Adds operation, company and request ID to the span of the current request. */
export function describeRequest({ requestId, method, operation, caller }: TracedRequest): void {
  const span = currentSpan();
  if (!span) return;
  span.setAttribute('parley.request_id', requestId);
  if (caller) span.setAttribute('parley.company_id', caller.companyId);
  if (!isOperationId(operation)) return;
  const route = pathOf(operation);
  span.updateName(`${method} ${route}`);
  span.setAttributes({ 'http.route': route, 'parley.operation': operation });
}
