import { expect, test } from 'vitest';
import type { Database } from '../../../server/storage/store.ts';
import { checkStatements } from '../../support/explain-statements.ts';
import { recordingStore, type Statements } from '../../support/record-statements.ts';
import { startService } from '../../support/service.ts';

/** Runs a query as the service does, and checks its statement. */
async function check(query: (db: Database) => Promise<unknown>): Promise<void> {
  const { store, database } = await startService();
  const statements: Statements = new Map();
  await recordingStore(store, statements).read(query);
  expect(statements.size).toBe(1);
  await checkStatements(database.url, statements);
}

test('a statement without a condition on the company fails the test that runs it', async () => {
  const list = check((db) => db.selectFrom('contacts').select('id').orderBy('id').limit(3).execute());
  await expect(list).rejects.toThrow(
    /^A statement has no condition on company_id for each table: select "id"/,
  );
});

test('a join without a condition on the company of both tables fails the test that runs it', async () => {
  const join = check((db) =>
    db
      .selectFrom('conversations as c')
      .innerJoin('messages as m', 'm.conversation_id', 'c.id')
      .select('m.id')
      .where('c.company_id', '=', 1)
      .execute(),
  );
  await expect(join).rejects.toThrow(/^A statement has no condition on company_id for each table/);
});

test('a statement that reads a whole table fails the test that runs it', async () => {
  const scan = check((db) =>
    db
      .selectFrom('tokens')
      .select('id')
      .where((eb) => eb.or([eb('company_id', '=', 1), eb('name', '=', 'x')]))
      .execute(),
  );
  await expect(scan).rejects.toThrow(/^A statement reads all of tokens, because no index fits: select "id"/);
});

test('a page of a list that no index orders fails the test that runs it', async () => {
  const page = check((db) =>
    db.selectFrom('webhooks').select('id').where('company_id', '=', 1).orderBy('url').limit(20).execute(),
  );
  await expect(page).rejects.toThrow(/^A statement sorts more rows than it returns, because no index has/);
});

test('a statement that reads some rows of a company by an index passes', async () => {
  await check((db) =>
    db.selectFrom('messages').select('id').where('company_id', '=', 1).where('id', '>', 5).limit(1).execute(),
  );
});
