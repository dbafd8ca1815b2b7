import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../../../scripts/lab/tcp-proxy.ts';
import { createPostgresServer, type PostgresServer } from '../../../../scripts/lib/postgres-server.ts';
import { StoreUnavailable } from '../../../../server/storage/store.ts';
import { postgresAt } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';

async function started(making: Promise<PostgresServer>): Promise<PostgresServer> {
  const postgres = await making;
  onTestFinished(() => postgres.remove());
  await postgres.start();
  return postgres;
}

test('serves reads and returns 503 for writes on a standby, and accepts writes after its promotion', async () => {
  const primary = await started(createPostgresServer());
  const proxy = await startProxy(primary.port);
  onTestFinished(proxy.close);
  const url = `postgres://parley@127.0.0.1:${proxy.port}/postgres`;
  const { api, company, errors } = await startService({ database: postgresAt(url) });
  const id = await company.contact({ first_name: 'Ada' });
  const standby = await started(createPostgresServer({ standbyOf: primary }));
  proxy.leadTo(standby.port);
  proxy.cut();
  await primary.stop('immediate');

  await expect.poll(async () => (await api.getContact(id)).status).toBe(200);
  for (let count = 0; count < 3; count += 1) {
    const refused = await api.createContact({});
    expect(refused).toBeApiError(503, 50303, '');
    expect(refused.headers.get('retry-after')).toBe('1');
    // Not in a transaction with other writes.
    expect(await api.deleteWebhook(1)).toBeApiError(503, 50303, '');
  }
  const reasons = errors.flatMap(({ error }) =>
    error instanceof StoreUnavailable && error.message === 'The database is read-only.' ? [error.cause] : [],
  );
  expect(reasons.map(String)).toEqual(Array(6).fill(expect.stringContaining('in a read-only transaction')));
  const client = new Client({ connectionString: standby.url });
  await client.connect();
  await client.query('select pg_promote()');
  await client.end();
  await expect.poll(async () => (await api.createContact({ first_name: 'Bea' })).status).toBe(201);
  expect((await api.getContact(id)).body.first_name).toBe('Ada');
});
