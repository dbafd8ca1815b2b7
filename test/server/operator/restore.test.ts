import { expect, test } from 'vitest';
import { revokeAllTokens } from '../../../server/storage/queries/tokens.ts';
import { disableAllWebhooks } from '../../../server/storage/queries/webhooks.ts';
import { onPostgres } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';

/** Adds a trigger that undoes each update, as a restored dump can contain it. */
const undoUpdates = (table: string, columns: string) =>
  onPostgres
    ? `create function hold() returns trigger language plpgsql as $$ begin return old; end $$;
      create trigger hold before update on ${table} for each row execute function hold()`
    : `create trigger hold after update on ${table} begin
        update ${table} set (${columns}) = (select ${columns.replace(/(\w+)/g, 'old.$1')}) where id = new.id;
      end`;

test('revoking tokens fails if a trigger undoes the change', async () => {
  const { company, store, database, parley } = await startService();
  const { id } = await company.token();
  await database.executeSql(undoUpdates('tokens', 'revoked_at'));
  for (const options of ['', ' --disable-webhooks'])
    expect(await parley(`token revoke --company 1 --token ${id}${options}`)).toFail(
      1,
      `Token ${id} is not revoked`,
    );
  await expect(store.write((db) => revokeAllTokens(db, Date.now()))).rejects.toThrow('is not revoked');
});

test('disabling webhooks fails if a trigger undoes the change', async () => {
  const { company, store, database } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1 });
  await database.executeSql(undoUpdates('webhooks', 'disabled_at, disabled_why'));
  await expect(store.write((db) => disableAllWebhooks(db, Date.now()))).rejects.toThrow('is not disabled');
});

test('revokes expired tokens too, because a clock can be wrong', async () => {
  const { company, store } = await startService();
  const { id } = await company.token();
  await store.write((db) => db.updateTable('tokens').set({ expires_at: 1 }).where('id', '=', id).execute());
  await store.write((db) => revokeAllTokens(db, Date.now()));
  const rows = await store.read((db) => db.selectFrom('tokens').select('revoked_at').execute());
  expect(rows.every(({ revoked_at }) => revoked_at !== null)).toBe(true);
});

test.each(['webhook disable', 'token revoke', 'restore'])(
  '%s disables a webhook that has the reason but not the time of its disabling',
  async (how) => {
    const { company, store } = await startService();
    const { id: token, api } = await company.token();
    const created = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://example.com/' };
    const webhook: number = (await api.createWebhook(created)).body;
    await store.write((db) => db.updateTable('webhooks').set({ disabled_why: 'operator' }).execute());
    if (how === 'webhook disable') await company.run(`webhook update --webhook ${webhook} --enabled no`);
    else if (how === 'token revoke') await company.run(`token revoke --token ${token} --disable-webhooks`);
    else await store.write((db) => disableAllWebhooks(db, Date.now()));
    const [row] = await store.read((db) => db.selectFrom('webhooks').select('disabled_at').execute());
    expect(row?.disabled_at).not.toBeNull();
  },
);

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
