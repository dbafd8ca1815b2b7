import { expect, test } from 'vitest';
import { startService } from '../../support/service.ts';
import { createCli } from './cli.ts';

test('restore --advance-by makes IDs and the sequences of webhooks continue further up', async () => {
  const { company, store, api, database } = await startService();
  const webhook = await company.webhook({ entity_id: 2, action_id: 1 });
  const before = await company.contact();
  const { code, out } = await createCli(database.url)('restore', '--advance-by', '5000', '--json');
  expect([code, JSON.parse(out)]).toMatchObject([0, { advanced_by: 5_000 }]);
  const { id } = (await api.createContact({ first_name: 'Ada' })).body;
  expect(id).toBeGreaterThan(before + 5_000);
  const sequences = await store.read((db) =>
    db
      .selectFrom('deliveries')
      .select('sequence')
      .where('webhook_id', '=', webhook)
      .orderBy('sequence')
      .execute(),
  );
  expect(sequences.map(({ sequence }) => sequence)).toEqual([1, 5_002]);
  expect(await company.webhook({ entity_id: 2, action_id: 2 })).toBeGreaterThan(webhook + 5_000);
});

test('restore --advance-by skips IDs of tables that are empty, because they may have had rows after the backup', async () => {
  const { company, store, database } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1 });
  await store.write(async (db) => {
    await db.deleteFrom('delivery_payloads').execute();
    await db.deleteFrom('deliveries').execute();
    await db.deleteFrom('webhooks').execute();
  });
  expect((await createCli(database.url)('restore', '--advance-by', '5000')).code).toBe(0);
  expect(await company.webhook({ entity_id: 2, action_id: 1 })).toBe(5_002);
  expect(await company.contact()).toBe(5_001);
});
