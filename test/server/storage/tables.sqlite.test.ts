import { expect, test } from 'vitest';
import { tables } from '../../../generated/tables.ts';
import { tableNames } from '../../../server/storage/schema.ts';
import { createCli } from '../../support/cli.ts';
import { createTestDatabase } from '../../support/databases.ts';

test('tables come after those that they refer to, and their keys are unique', async () => {
  const database = await createTestDatabase();
  await createCli(database.url)('migrate');
  for (const name of tableNames) {
    const references = await database.look(
      `select distinct "table" as parent from pragma_foreign_key_list('${name}')`,
    );
    for (const { parent } of references as { parent: (typeof tableNames)[number] }[])
      expect(tableNames.indexOf(parent), `${name} refers to ${parent}`).toBeLessThan(
        tableNames.indexOf(name),
      );
    const unique = await database.look(
      `select group_concat(i.name, ' ') as columns from pragma_index_list('${name}') as l, pragma_index_info(l.name) as i
        where l."unique" = 1 group by l.name
       union all select group_concat(name, ' ') from pragma_table_info('${name}') where pk > 0`,
    );
    const columns = name === 'companies' ? tables[name].key : ['company_id', ...tables[name].key];
    expect(
      unique.map((row) => Object(row).columns),
      `the migration of ${name} must add a unique constraint on ${columns}`,
    ).toContain(columns.join(' '));
  }
});
