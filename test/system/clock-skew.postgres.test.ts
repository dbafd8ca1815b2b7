import { expect, test } from 'vitest';
import { serviceAndWorker } from '../server/delivery/delivery-processes.ts';
import { until } from '../server/delivery/delivery-service.ts';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';
import { startInstance } from './balanced-processes.ts';

const events = 60;
/** Sets the clock of a Node process ahead by a minute. */
const ahead = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+60000';

test('a worker whose clock is a minute ahead takes no delivery from another worker', async () => {
  const processes = await serviceAndWorker();
  await processes.start('api');
  // Each request takes longer than the polls of the workers.
  const receiver = await startReceiver((_call, res) => void setTimeout(() => res.end(), 400));
  const { api } = await processes.createCompany(receiver);
  await processes.start('worker');
  await startInstance('worker', { settings: { ...processes.env, NODE_OPTIONS: ahead } });
  await Promise.all(Array.from({ length: events }, () => api.createContact({ first_name: 'Ada' })));
  await until(async () => {
    const rows = await processes.store.read((db) =>
      db.selectFrom('deliveries').select('state').where('state', '<>', 'delivered').execute(),
    );
    return rows.length === 0;
  }, 60_000);
  expect(receiver.calls.length).toBe(events);
});
