import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { OnCleanup } from '../../support/temporary-folder.ts';

/** A request as the receiver saw it. */
export interface ReceivedWebhookRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Arrival time, as a value of `performance.now()`. */
  at: number;
}

export type ReceiverHandler = (call: ReceivedWebhookRequest, res: ServerResponse) => void;

/** Starts a receiver that records requests, by default on 127.0.0.1. */
export async function startReceiver(
  respond: ReceiverHandler = (_call, res) => res.end(),
  { whenOver: onCleanup = onTestFinished as OnCleanup, host = '127.0.0.1' } = {},
) {
  const calls: ReceivedWebhookRequest[] = [];
  let answering = respond;
  const listener: RequestListener = (req, res) => {
    const at = performance.now();
    const parts: Buffer[] = [];
    req.on('error', () => {});
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      const call = { method, url, headers, body: Buffer.concat(parts).toString(), at };
      calls.push(call);
      answering(call, res);
    });
  };
  const server = createServer(listener);
  server.listen(0, host);
  await once(server, 'listening');
  onCleanup(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    port,
    server,
    url: `http://${host}:${port}/`,
    /** Changes the response for later requests. */
    respondWith: (other: ReceiverHandler) => {
      answering = other;
    },
  };
}
