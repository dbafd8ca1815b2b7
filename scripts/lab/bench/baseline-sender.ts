import { randomUUID } from 'node:crypto';
import { Agent } from 'undici';

/*
 * The baseline for the delivery worker: a process that only sends requests with undici, as many as the worker and at
 * the same concurrency. Its throughput is the upper limit.
 */

const { BENCH_URL = '', BENCH_COUNT = '0', BENCH_AT_ONCE = '1', BENCH_BODY = '' } = process.env;

if (process.send) {
  const atOnce = Number(BENCH_AT_ONCE);
  const { origin, pathname: path } = new URL(BENCH_URL);
  const agent = new Agent({ connections: atOnce, pipelining: 1, allowH2: false });
  let left = Number(BENCH_COUNT);
  const headers = {
    'content-type': 'application/json',
    'webhook-timestamp': '1772720411',
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  };
  const send = async () => {
    while (left > 0) {
      left -= 1;
      const { body } = await agent.request({
        origin,
        path,
        method: 'POST',
        headers: { ...headers, 'webhook-id': randomUUID() },
        body: BENCH_BODY,
      });
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  await agent.close();
  process.send('done');
  process.disconnect();
}
