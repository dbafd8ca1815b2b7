import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../server/own-contract/scopes.ts';
import { issueToken } from '../../server/security/auth/issue-token.ts';
import { insertCompany } from '../../server/storage/queries/companies.ts';
import { serviceAndWorker } from '../server/delivery/delivery-processes.ts';
import { until } from '../server/delivery/delivery-service.ts';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';
import { createApiClient } from '../support/api-client.ts';

const events = 60;

/** Sets the clock of a Node process ahead by a minute. */
const ahead = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+60000';

test('a worker whose clock is a minute ahead takes no delivery from another worker', async () => {
  const processes = await serviceAndWorker({ LOG_LEVEL: 'warn' });
  await processes.start('api');
  // Each request takes longer than the polls of the workers.
  const receiver = await startReceiver((_call, res) => void setTimeout(() => res.end(), 400));
  const { token } = await processes.store.write(async (db) => {
    const companyId = await insertCompany(db, { name: 'A', created_at: Date.now() });
    return issueToken(db, { companyId, userId: 1, name: '', scopes, days: 90 }, Date.now());
  });
  const api = createApiClient(processes.address.base, token);
  await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url });
  await processes.start('worker');
  const wrong = spawn(process.execPath, [ahead, 'server/worker.ts'], { env: processes.env });
  onTestFinished(() => void wrong.kill('SIGKILL'));
  await once(wrong.stdout, 'data');
  await Promise.all(Array.from({ length: events }, () => api.createContact({ first_name: 'Ada' })));
  await until(async () => {
    const rows = await processes.store.read((db) =>
      db.selectFrom('deliveries').select('state').where('state', '<>', 'delivered').execute(),
    );
    return rows.length === 0;
  }, 60_000);
  expect(receiver.calls.length).toBe(events);
});
