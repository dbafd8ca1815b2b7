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

test.each<[what: string, query: (db: Database) => Promise<unknown>, violation: string]>([
  [
    'without a condition on the company',
    (db) => db.selectFrom('contacts').select('id').orderBy('id').limit(3).execute(),
    'has no condition on company_id for each table: select "id"',
  ],
  [
    'that joins tables without a condition on the company of both',
    (db) =>
      db
        .selectFrom('conversations as c')
        .innerJoin('messages as m', 'm.conversation_id', 'c.id')
        .select('m.id')
        .where('c.company_id', '=', 1)
        .execute(),
    'has no condition on company_id for each table',
  ],
  [
    'that joins tables in different places of Citus',
    (db) =>
      db
        .selectFrom('contacts as c')
        .innerJoin('deliveries as d', (join) =>
          join.onRef('d.company_id', '=', 'c.company_id').onRef('d.data_id', '=', 'c.id'),
        )
        .select('c.id')
        .where('c.company_id', '=', 1)
        .execute(),
    'uses both a table on the coordinator of Citus and a distributed one',
  ],
  [
    'that reads a whole table',
    (db) =>
      db
        .selectFrom('tokens')
        .select('id')
        .where((eb) => eb.or([eb('company_id', '=', 1), eb('name', '=', 'x')]))
        .execute(),
    'reads all of tokens, because no index fits: select "id"',
  ],
  [
    'for a page of a list that no index orders',
    (db) =>
      db.selectFrom('webhooks').select('id').where('company_id', '=', 1).orderBy('url').limit(20).execute(),
    'sorts more rows than it returns, because no index has',
  ],
])('a statement %s fails the test that runs it', async (_what, query, violation) => {
  await expect(check(query)).rejects.toThrow(`A statement ${violation}`);
});

test('a statement that reads some rows of a company by an index passes', async () => {
  await check((db) =>
    db.selectFrom('messages').select('id').where('company_id', '=', 1).where('id', '>', 5).limit(1).execute(),
  );
});
