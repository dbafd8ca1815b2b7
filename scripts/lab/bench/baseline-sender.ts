import { randomUUID } from 'node:crypto';
import { Agent } from 'undici';

/*
 * The baseline for the delivery worker: on SIGHUP, this process sends as many requests as the worker, at the same
 * concurrency, with nothing but undici.
 */

const { BENCH_URL = '', BENCH_COUNT = '0', BENCH_AT_ONCE = '1', BENCH_BODY = '' } = process.env;

const atOnce = Number(BENCH_AT_ONCE);
const { origin, pathname: path } = new URL(BENCH_URL);
const agent = new Agent({ connections: atOnce, pipelining: 1, allowH2: false });
const headers = {
  'content-type': 'application/json',
  'webhook-timestamp': '1772720411',
  'webhook-signature': `v1,${'A'.repeat(43)}=`,
};

process.on('SIGHUP', async () => {
  let left = Number(BENCH_COUNT);
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
});
// A listener for signals does not keep the process running.
setInterval(() => {}, 2 ** 31 - 1);
process.stdout.write('ready\n');
