import { expect, test } from 'vitest';
import { nextMigration } from '../../../support/copy-project.ts';
import { emptyContact, openAt, startService } from '../../../support/service.ts';

const expanding = `${nextMigration(1)}-expand-visits`;
const contracting = `${nextMigration(2)}-contract-${nextMigration(1)}-drop-old-visits`;

test('an older version works on a database that a newer one expands, until a contract migration excludes it', async () => {
  const { api, company, database, errors } = await startService();
  const id = await company.contact();
  const { id: conversation_id } = await company.conversation({ caller_id: id });
  const statuses = async () => {
    const replies = await Promise.all([
      api.createContact({ first_name: 'Ada' }),
      api.updateContact(id, { ...emptyContact, first_name: 'Bea' }),
      api.getContact(id),
      api.searchContacts('bea'),
      api.createMessage({ conversation_id, type: 'text', payload: 'Hello' }),
      api.getConversation(conversation_id),
      api.listConversations(),
    ]);
    return replies.map(({ status }) => status);
  };
  const works = async () => {
    // Repeated, so that each connection has prepared the statements before, and runs them again.
    for (let round = 0; round < 8; round += 1)
      expect(await statuses()).toEqual([201, 200, 200, 200, 201, 200, 200]);
  };
  await works();
  const migrate = (name: string, sql: string) =>
    database.executeSql(`${sql}; insert into kysely_migration (name, timestamp) values ('${name}', '')`);

  await migrate(
    expanding,
    `alter table contacts add column visits bigint default 0 not null;
      alter table conversations add column seen_at bigint; create table old_visits (company_id bigint)`,
  );
  await works();
  expect(errors).toEqual([]);
  // It also starts on the newer schema, as after a restart or a downgrade.
  await (await openAt(database.url)).close();

  await migrate(contracting, 'drop table old_visits');
  await expect(openAt(database.url)).rejects.toThrow(
    `a newer version of Parley has migrated it (${contracting})`,
  );
});
