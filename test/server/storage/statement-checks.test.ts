import { expect, test } from 'vitest';
import { checkStatements } from '../../support/explain-statements.ts';
import { emptyStore } from './empty-store.ts';

/** Checks a statement as one that the service has run. */
async function check(text: string): Promise<void> {
  const { database } = await emptyStore();
  await checkStatements(database.url, new Map([[text, { text, values: [] }]]));
}

test.each([
  [
    'without a condition on the company',
    'select id from contacts order by id limit 3',
    'has no condition on company_id for each table: select id',
  ],
  [
    'that joins tables without a condition on the company of both',
    'select m.id from conversations c join messages m on m.conversation_id = c.id where c.company_id = 1',
    'has no condition on company_id for each table',
  ],
  [
    'that joins tables in different places of Citus',
    'select c.id from contacts c join deliveries d on d.company_id = c.company_id and d.data_id = c.id where c.company_id = 1',
    'uses both a table on the coordinator of Citus and a distributed one',
  ],
  [
    'that reads a whole table',
    "select id from tokens where (company_id = 1 or name = 'x')",
    'reads all of tokens, because no index fits: select id',
  ],
  [
    'for a page of a list that no index orders',
    'select id from webhooks where company_id = 1 order by url limit 20',
    'sorts more rows than it returns, because no index has',
  ],
])('a statement %s fails the test that runs it', async (_what, text, violation) => {
  await expect(check(text)).rejects.toThrow(`A statement ${violation}`);
});

test('a statement that reads some rows of a company by an index passes', async () => {
  await check('select id from messages where company_id = 1 and id > 5 limit 1');
});
