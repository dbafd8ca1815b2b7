import { hasBody } from './body.ts';
import type { CheckedAnswer, Exchange } from './exchange.ts';

/** Sends an answer: the only place that writes to a response. */
export function write({ req, res }: Exchange<unknown>, { status, headers, payload }: CheckedAnswer): void {
  // A body that nobody has read is not waited for: its sender could take for ever.
  const unread = !req.readableEnded && hasBody(req);
  if (unread) res.setHeader('Connection', 'close');
  res.writeHead(status, {
    ...headers,
    ...(payload === undefined ? {} : { 'Content-Length': Buffer.byteLength(payload) }),
  });
  res.end(payload);
}
