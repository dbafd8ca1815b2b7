import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { startListening } from '../../../support/start-listening.ts';

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: OtlpAttribute[];
}

interface OtlpExport {
  resourceSpans?: { scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** Starts an OpenTelemetry collector that keeps what it receives. */
export async function startCollector() {
  const exports: { path: string; body: OtlpExport }[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    exports.push({ path: req.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) });
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    url: await startListening(server, onTestFinished),
    exports,
    spans: () =>
      exports.flatMap(({ body }) =>
        (body.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
  };
}
