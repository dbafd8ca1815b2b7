import type { IncomingMessage } from 'node:http';
import type { RequestSource } from '../../contract/accept-request.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { readBody, unreadBody } from './read-body.ts';

const peerOf = (req: IncomingMessage): string => req.socket.remoteAddress ?? '';

/** Reads requests of Node's HTTP server. */
export const httpSource: RequestSource<Exchange<unknown>> = {
  readBody: ({ req, res }, operation, limit) => readBody(req, res, operation, limit),
  addressOf({ req }, configured = peerOf) {
    // Reads the address now: Node caches it on first access, and cannot return it after the peer has disconnected.
    peerOf(req);
    return () => configured(req);
  },
};

/**
 * Returns the source for middleware in front of routes.
 * @param unread IDs of operations whose bodies are left for the route, if nothing has read them yet
 */
export const httpSourceFor = (unread: ReadonlySet<string>): RequestSource<Exchange<unknown>> => ({
  ...httpSource,
  readBody: (state, operation, limit) =>
    unread.has(operation.id) && !state.req.readableEnded
      ? unreadBody(state.req, operation)
      : httpSource.readBody(state, operation, limit),
});
