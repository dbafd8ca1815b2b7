import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deliveryStates, stateChanges } from '../../../server/storage/delivery-states.ts';
import { startService } from '../../support/service.ts';

test('the guide lists every change of the state of a delivery', () => {
  const guide = readFileSync('openapi/guides/webhook-delivery.md', 'utf8');
  const rows = Object.values(stateChanges).map(
    ({ cause, from, to }) => `| ${cause} | ${from.map((name) => `\`${name}\``).join(', ')} | \`${to}\` |`,
  );
  expect(guide).toContain(`|---|---|---|\n${rows.join('\n')}\n\n`);
});

test('in tests, the database refuses a change of the state of a delivery that is not listed', async () => {
  const { store, company } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1, url: 'https://hooks.example.com/' });
  await company.contact();
  const become = (state: (typeof deliveryStates)[keyof typeof deliveryStates]) =>
    store.write((db) => db.updateTable('deliveries').set({ state }).execute());
  await become(deliveryStates.delivered);
  await expect(become(deliveryStates.paused)).rejects.toThrow('unknown change');
});
