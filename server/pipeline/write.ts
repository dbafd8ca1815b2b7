import { hasBody } from './body.ts';
import type { CheckedAnswer, Exchange } from './exchange.ts';

/** Sends an answer: the only place that writes to a response. */
export function write({ req, res }: Exchange<unknown>, { status, headers, payload }: CheckedAnswer): void {
  // A body that nobody has read is not waited for: its sender could take for ever.
  const unread = !req.readableEnded && hasBody(req);
  if (unread) res.setHeader('Connection', 'close');
  if (payload === undefined) {
    res.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.byteLength(payload);
  headers['Content-Length'] = String(bytes);
  res.writeHead(status, headers);
  // A text of one byte for each character is ASCII: as Latin-1, which is the same then, it is written as it is.
  if (bytes === payload.length) res.end(payload, 'latin1');
  else res.end(payload);
}
