import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deliveryStates, type StoredState, stateChanges } from '../../../server/storage/delivery-states.ts';
import { startService } from '../../support/service.ts';

test('the guide lists every change of the state of a delivery', () => {
  const guide = readFileSync('openapi/guides/webhook-delivery.md', 'utf8');
  const [, table = ''] = guide.split('| cause | state before | state after |\n|---|---|---|\n');
  const rows = (table.split('\n\n')[0] ?? '').split('\n').map((row) => {
    const [, _cause, from = '', to = ''] = row.split('|');
    return { from: from.match(/\w+/g), to: to.match(/\w+/)?.[0] };
  });
  expect(rows).toEqual(Object.values(stateChanges));
});

test('in tests, the database refuses a change of the state of a delivery that is not listed', async () => {
  const { store, company } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1, url: 'https://hooks.example.com/' });
  await company.contact();
  const become = (state: StoredState) =>
    store.write((db) => db.updateTable('deliveries').set({ state }).execute());
  await become(deliveryStates.delivered);
  await expect(become(deliveryStates.paused)).rejects.toThrow('unknown change');
});
