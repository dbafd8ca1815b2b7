import { expect, test } from 'vitest';
import { tables } from '../../../../generated/tables.ts';
import type { Schema } from '../../../../server/storage/schema.ts';
import { tableNames } from '../../../../server/storage/schema.ts';
import { createTestDatabase } from '../../../support/databases.ts';

/*
 * The guide on large databases distributes the tables on Citus by company. Citus is not available here, so these tests
 * check keys against its documented requirements, and test/support/statement-rules.ts checks every statement:
 * https://docs.citusdata.com/en/stable/develop/reference_ddl.html, …/reference_workarounds.html,
 * …/api_metadata.html
 */

/** The names of the tables that Citus stores in one way. */
const storedAs = (place: 'distributed' | 'reference' | 'local'): string[] =>
  tableNames.filter((name) => tables[name].onCitus === place);

const distributed = storedAs('distributed');
const reference = storedAs('reference');
const local = storedAs('local');

interface Key {
  table: string;
  columns: string[];
}

const look = async <Row>(sql: string): Promise<Row[]> =>
  (await (await createTestDatabase()).look(sql)) as Row[];

test('every unique key of a distributed table contains company_id', async () => {
  const keys = await look<Key>(`select t.relname as table, array_agg(a.attname::text) as columns
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey)
    where i.indisunique and t.relnamespace = 'public'::regnamespace group by t.relname, i.indexrelid`);
  expect(keys.filter(({ table }) => distributed.includes(table)).length).toBeGreaterThan(6);
  expect(
    keys.filter(({ table, columns }) => distributed.includes(table) && !columns.includes('company_id')),
  ).toEqual([]);
});

test('foreign keys of distributed tables contain company_id, and none links them to local tables', async () => {
  const references = await look<
    Key & { to: string; theirs: string[] }
  >(`select t.relname as table, f.relname as to,
      array(select attname::text from pg_attribute a, unnest(c.conkey) with ordinality k(num, place)
        where a.attrelid = t.oid and a.attnum = k.num order by place) as columns,
      array(select attname::text from pg_attribute a, unnest(c.confkey) with ordinality k(num, place)
        where a.attrelid = f.oid and a.attnum = k.num order by place) as theirs
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid where contype = 'f'`);
  expect(references.length).toBeGreaterThan(9);
  const wrong = references.filter(({ table, to, columns, theirs }) => {
    if (reference.includes(to)) return false;
    if (distributed.includes(table) && distributed.includes(to))
      return (
        columns.indexOf('company_id') < 0 || columns.indexOf('company_id') !== theirs.indexOf('company_id')
      );
    return distributed.includes(table) || distributed.includes(to);
  });
  expect(wrong).toEqual([]);
});

test('IDs are bigint, and distributed tables have no triggers or exclusion constraints', async () => {
  const identities = await look<{ type: string }>(
    "select data_type as type from information_schema.columns where is_identity = 'YES' and table_schema = 'public'",
  );
  expect(new Set(identities.map(({ type }) => type))).toEqual(new Set(['bigint']));
  const triggers = await look<{ table: keyof Schema }>(
    'select distinct tgrelid::regclass::text as table from pg_trigger where not tgisinternal',
  );
  expect(triggers.filter(({ table }) => !local.includes(table))).toEqual([]);
  expect(await look("select conname from pg_constraint where contype = 'x'")).toEqual([]);
});
