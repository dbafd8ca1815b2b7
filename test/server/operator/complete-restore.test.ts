import { expect, test } from 'vitest';
import { startService } from '../../support/service.ts';

test('restore --advance-by makes IDs and the sequences of webhooks continue further up', async () => {
  const { company, api, parley } = await startService();
  const webhook = await company.webhook({ entity_id: 2, action_id: 1 });
  const before = await company.contact();
  expect(await parley.json('restore --advance-by 5000')).toMatchObject({ advanced_by: 5_000 });
  const { id } = (await api.createContact({ first_name: 'Ada' })).body;
  expect(id).toBeGreaterThan(before + 5_000);
  expect((await company.events(webhook)).map(({ sequence }) => sequence)).toEqual([1, 5_002]);
  expect(await company.webhook({ entity_id: 2, action_id: 2 })).toBeGreaterThan(webhook + 5_000);
});

test('restore --advance-by skips IDs of tables that are empty, because they may have had rows after the backup', async () => {
  const { company, store, parley } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1 });
  await store.write(async (db) => {
    await db.deleteFrom('delivery_payloads').execute();
    await db.deleteFrom('deliveries').execute();
    await db.deleteFrom('webhooks').execute();
  });
  await parley.json('restore --advance-by 5000');
  expect(await company.webhook({ entity_id: 2, action_id: 1 })).toBe(5_002);
  expect(await company.contact()).toBe(5_001);
});
