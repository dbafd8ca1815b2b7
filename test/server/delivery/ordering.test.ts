import { expect, test } from 'vitest';
import { retryDelays } from '../../../server/delivery/outcome.ts';
import { startWebhook, until } from './delivery-service.ts';

const startAt = Date.UTC(2026, 0, 5);

test('a due retry waits for a newer in-flight delivery of its contact, without delaying other contacts', async () => {
  const open: (() => void)[] = [];
  const { api, company, attempts, worker, receiver, clock } = await startWebhook(
    ({ body }, res) => {
      const { sequence } = JSON.parse(body).meta;
      if (sequence === 1 && open.length === 0) res.writeHead(500).end();
      else if (sequence === 4) open.push(() => res.end());
      else res.end();
    },
    { startAt, webhook: { action_id: 2 } },
  );
  const rename = async (id: number, first_name: string) => {
    const { body } = await api.getContact(id);
    await api.updateContact(id, { ...body, first_name });
  };
  const ada = await company.contact({ first_name: 'Ada' });
  const bob = await company.contact({ first_name: 'Bob' });
  await rename(ada, 'Ada 1');
  await until(() => attempts.length === 1);
  // Two successes raise the limit of requests in flight to three, so that only the ordering delays the retry.
  for (const name of ['Bob 1', 'Bob 2']) {
    await rename(bob, name);
    await until(() => attempts.length === Number(name.at(-1)) + 1);
  }
  await rename(ada, 'Ada 2');
  await until(() => open.length === 1);
  clock.now += retryDelays[1];
  worker.wake();
  await rename(bob, 'Bob 3');
  await until(() => attempts.length === 4);
  expect(receiver.calls).toHaveLength(5);
  open[0]?.();
  await until(() => attempts.length === 6);
  expect(attempts.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 5, 4, 1]);
});
