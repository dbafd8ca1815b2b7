import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Model } from '../../simulate/model.ts';
import { recordViolation } from '../../simulate/violation.ts';

/** Starts a webhook receiver that records every event, and checks what must not leave the service. */
export async function startRecordingReceiver(model: Model, answerMs: number) {
  const arrivals = new Map<string, { isSuccess: boolean }[]>();
  let underWay = 0;
  const server = createServer(async (req, res) => {
    underWay += 1;
    const [, webhook, sequence] = String(req.headers['webhook-id']).split('_');
    for (const { marker, erasure } of model.contactsIn(await text(req)))
      if (erasure === 'acknowledged')
        recordViolation('nothing of an erased contact leaves', `Webhook ${webhook} gets ${marker}.`);
    const name = `${webhook}:${sequence}`;
    arrivals.set(name, [...(arrivals.get(name) ?? []), { isSuccess: true }]);
    setTimeout(() => {
      underWay -= 1;
      res.end();
    }, answerMs);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    arrivals,
    /** Returns the number of requests that have no response yet. */
    underWay: () => underWay,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
