import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../server/storage/postgres/postgres-store.ts';
import { createTestDatabase } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';

test('a migration that waits for a long transaction delays each create request by less than 5 s', async () => {
  const { api, database, company } = await startService({ database: await createTestDatabase() });
  const id = await company.contact();
  // Makes the migrations from 0005 on pending again.
  await database.executeSql(`delete from kysely_migration where name >= '0005';
    drop index contacts_by_span; drop index conversations_by_span; drop table erasures;
    alter table webhooks drop column created_by_token, drop column updated_by_token`);
  const long = new Client({ connectionString: database.url });
  long.on('error', () => {});
  await long.connect();
  onTestFinished(() => long.end());
  await long.query(`begin; update contacts set avatar = null where id = ${id}`);

  const newer = openPostgres(database.url);
  const slowest: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    const startedAt = performance.now();
    expect((await api.createContact({ first_name: 'Ada' })).status).toBe(201);
    slowest.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(Math.max(...slowest)).toBeLessThan(5_000);
  await long.query('rollback');
  await (await newer).close();
  expect(
    await database.look("select indexname from pg_indexes where indexname like '%_by_span' order by 1"),
  ).toEqual([{ indexname: 'contacts_by_span' }, { indexname: 'conversations_by_span' }]);
}, 60_000);
