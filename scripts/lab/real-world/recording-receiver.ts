import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally } from '../../lib/listen-locally.ts';
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
  });
  const { url, close } = await listenLocally(server);
  return {
    arrivals,
    /** Returns the number of requests that have no response yet. */
    underWay: () => underWay,
    url: `${url}/`,
    close,
  };
}
