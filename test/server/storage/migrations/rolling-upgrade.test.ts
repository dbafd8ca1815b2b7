import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createApiClient } from '../../../support/api-client.ts';
import { copyWithMigrations, nextMigration } from '../../../support/newer-program.ts';
import { emptyContact, startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { startInstance } from '../../../system/balanced-processes.ts';
import { endedService } from '../../../system/service-process.ts';

const programWith = async (steps: Record<string, string>): Promise<string> =>
  copyWithMigrations(join(await temporaryFolder(), 'a newer one'), steps);

const expanding = `${nextMigration(1)}-expand-visits`;
const contracting = `${nextMigration(2)}-contract-${nextMigration(1)}-drop-old-visits`;

const expand = {
  [expanding]: `await db.schema.alterTable('contacts').addColumn('visits', integer, (column) => column.notNull().defaultTo(0)).execute();
    await db.schema.alterTable('messages').addColumn('seen_at', integer).execute();
    await db.schema.createTable('old_visits').addColumn('company_id', integer, (column) => column.notNull()).execute();`,
};
const contract = { ...expand, [contracting]: "await db.schema.dropTable('old_visits').execute();" };

test('older and newer versions use one database, until a contract migration excludes the older one', async () => {
  const { database, company } = await startService();
  const { token } = await company.token();
  const settings = {
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: `file:${encodeURI(join(await temporaryFolder(), 'a.key'))}`,
    PARLEY_RATE_PER_MINUTE: '0',
  };
  const startAt = (cwd?: string) => startInstance('main', { settings, cwd });
  const [newer, newest] = await Promise.all([programWith(expand), programWith(contract)]);
  const older = await startAt();
  const bases = [older.base];
  const caller_id = await company.contact();
  const conversation = await company.conversation({ caller_id });

  const statuses = new Map<number, number>();
  let turn = 0;
  let over = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!over) {
      turn += 1;
      const api = createApiClient(bases[turn % bases.length] ?? '', token);
      const made = await api.createContact({ first_name: 'Ada' });
      const replies = [
        made,
        await api.updateContact(made.body.id, { ...emptyContact, first_name: 'Bea' }),
        await api.getContact(made.body.id),
        await api.searchContacts('bea'),
        await api.createMessage({ conversation_id: conversation.id, type: 'text', payload: 'Hello' }),
        await api.getConversation(conversation.id),
        await api.listConversations(),
      ];
      for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const whileCalled = async (happening: () => Promise<void>) => {
    const before = turn;
    await happening();
    while (turn < before + 8) await wait(10);
  };

  await whileCalled(async () => {});
  // Starting the newer version migrates the database while the older version runs.
  await whileCalled(async () => void bases.push((await startAt(newer)).base));
  // The older version also starts on the newer schema, as after a restart or a downgrade.
  await whileCalled(async () => void bases.push((await startAt()).base));
  over = true;
  await Promise.all(callers);
  expect([...statuses.keys()].sort()).toEqual([200, 201]);
  expect(older.log()).not.toMatch(/"level":"?(warn|error|40|50)/);

  // Operators run a contract migration after the older versions have stopped. Here, those still run without requests.
  const last = await startAt(newest);
  expect((await createApiClient(last.base, token).getContact(caller_id)).status).toBe(200);
  expect((await createApiClient((await startAt(newer)).base, token).getContact(caller_id)).status).toBe(200);
  expect(await endedService(settings)).toFail(
    1,
    `a newer version of Parley has migrated it (${contracting})`,
  );
});
