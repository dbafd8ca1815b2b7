import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ArrivedEvent } from './acknowledged-writes.ts';

/** Starts a webhook receiver that records every event. */
export async function startRecordingReceiver(answerMs: number) {
  const arrived: ArrivedEvent[] = [];
  let underWay = 0;
  const server = createServer(async (req, res) => {
    underWay += 1;
    const { data, meta } = JSON.parse(await text(req));
    arrived.push({ webhookId: meta.webhook_id, sequence: meta.sequence, data });
    setTimeout(() => {
      underWay -= 1;
      res.end();
    }, answerMs);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    arrived,
    /** Returns the number of requests that have no response yet. */
    underWay: () => underWay,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
