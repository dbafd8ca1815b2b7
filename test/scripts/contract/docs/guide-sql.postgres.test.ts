import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { sampledGuides } from '../../../../scripts/guide-samples/guide-samples.ts';
import { createFixtures, operationIds, sendValid } from '../../../server/own-contract/valid-requests.ts';
import { createCli } from '../../../support/cli.ts';
import { startService } from '../../../support/service.ts';

/** The SQL of the guide that changes the database, in the order of an operator. */
const typed =
  sampledGuides()
    .find(({ name }) => name === 'large-databases')
    ?.samples.filter(({ language, role }) => language === 'sql' && role === '') ?? [];

/** Splits SQL into statements. Each is sent alone, as psql does, because some must not run in a transaction. */
const statementsIn = (code: string): string[] =>
  Array.from(code.replaceAll(/^--.*$/gm, '').matchAll(/(?:\$\$.*?\$\$|[^;$])+(?=;)/gs), ([statement]) =>
    statement.trim(),
  );

test('the database changes in the guide on large databases cause no errors in a running service', async () => {
  const { api, company, database } = await startService();
  const before = await createFixtures(company);
  const client = new Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  const indexes = async (): Promise<string[]> => {
    const { rows } = await client.query(
      "select indexname as name from pg_indexes where tablename = 'messages'",
    );
    return rows.map(({ name }) => name);
  };
  const indexesBefore = await indexes();
  expect(typed).not.toEqual([]);
  for (const { code } of typed) for (const statement of statementsIn(code)) await client.query(statement);

  const { rows } = await client.query(
    "select relname as name from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace order by 1",
  );
  expect(rows.map(({ name }) => name)).toEqual(['messages']);
  const missing = new Set(indexesBefore);
  for (const name of await indexes()) missing.delete(name);
  expect([...missing], 'Indexes that the partitioned tables lack').toEqual([]);
  // Old data is readable, new data gets IDs, and clients work as before.
  expect((await api.getMessage(before.message)).status).toBe(200);
  for (const operation of operationIds.filter((id) => id !== 'deleteWebhook'))
    expect([200, 201], operation).toContain((await sendValid(api, operation, before)).status);
  const conversation = await api.getConversation(before.conversation);
  expect(conversation.body.messages.map(({ id }: { id: number }) => id)).toEqual([
    before.message,
    before.message + 1,
  ]);
  // A message whose ID belongs to the next partition is stored there.
  await client.query("select setval(pg_get_serial_sequence('messages', 'id'), 1500000)");
  expect((await sendValid(api, 'createMessage', before)).status).toBe(201);
  const next = await client.query('select count(*)::int as count from messages_2');
  expect(next.rows[0].count).toBe(1);
  expect((await api.getConversation(before.conversation)).body.messages).toHaveLength(3);
  expect((await createCli(database.url)('migrate')).out).toContain('is up to date.');
});
