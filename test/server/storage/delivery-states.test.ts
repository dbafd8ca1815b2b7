import { expect, test } from 'vitest';
import { deliveryStates, type StoredState } from '../../../server/storage/delivery-states.ts';
import { startService } from '../../support/service.ts';

test('in tests, the database refuses a change of the state of a delivery that is not listed', async () => {
  const { store, company } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1, url: 'https://hooks.example.com/' });
  await company.contact();
  const become = (state: StoredState) =>
    store.write((db) => db.updateTable('deliveries').set({ state }).execute());
  await become(deliveryStates.delivered);
  await expect(become(deliveryStates.paused)).rejects.toThrow('unknown change');
});
