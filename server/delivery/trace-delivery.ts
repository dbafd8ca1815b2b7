import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { formatTraceparent, isTraced, parentOf } from '../runtime/telemetry/trace-context.ts';
import { type Attempt, isSuccess, outcomeOf } from './attempt.ts';
import type { Claimed } from './claim.ts';

/** The header of a webhook request that continues the trace of its event. */
export type TraceHeaders = Record<string, string>;

/**
 * Creates a function that reports a span for each attempt of a delivery, as a child of the request that caused the
 * event.
 */
export const createDeliveryTracer =
  (tracer: Tracer) =>
  async (
    { delivery, webhook, origin }: Claimed,
    send: (headers: TraceHeaders) => Promise<Attempt | undefined>,
  ): Promise<Attempt | undefined> => {
    const attributes = {
      'server.address': URL.parse(origin)?.hostname ?? '',
      'parley.company_id': delivery.companyId,
      'parley.webhook_id': webhook.id,
      'parley.event_type': delivery.type,
      'parley.attempt': delivery.attempts + 1,
    };
    const name = `deliver ${delivery.type}`;
    const span = tracer.startSpan(
      name,
      { kind: SpanKind.CLIENT, attributes },
      parentOf(delivery.traceparent),
    );
    const attempt = await send(isTraced(span) ? { traceparent: formatTraceparent(span) } : {});
    if (attempt) {
      span.setAttribute('parley.outcome', outcomeOf(attempt));
      if (attempt.status !== undefined) span.setAttribute('http.response.status_code', attempt.status);
      if (!isSuccess(attempt)) span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
    return attempt;
  };
