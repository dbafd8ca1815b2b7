import { Client } from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { purgeDeletedFieldValues } from '../../../../server/features/contacts/background-jobs.ts';
import { purgeIdempotencyKeys } from '../../../../server/features/idempotency.ts';
import { purgeOldDeliveries } from '../../../../server/features/webhooks/purge-deliveries.ts';
import type { Schema } from '../../../../server/storage/schema.ts';
import { tableNames, tables } from '../../../../server/storage/schema.ts';
import { startService } from '../../../support/service.ts';
import { createCli } from '../../operator/cli.ts';
import { createFixtures, operationIds, sendValid } from '../../own-contract/valid-requests.ts';

/*
 * The guide on large databases distributes the tables on Citus by company. Citus is not available here, so these tests check keys
 * and statements against its documented requirements:
 * https://docs.citusdata.com/en/stable/develop/reference_ddl.html, …/reference_workarounds.html,
 * …/api_metadata.html
 */

/** The names of the tables that Citus stores in one way. */
const storedAs = (place: 'distributed' | 'reference' | 'local'): string[] =>
  tableNames.filter((name) => tables[name].onCitus === place);
const distributed = storedAs('distributed');
const reference = storedAs('reference');
const local = storedAs('local');

let url: string;
/** The statements that requests, operator commands and background jobs run. Those of workers are not included. */
const statements = new Set<string>();

const lines = [
  { kind: 'contact', key: 'a', first_name: 'Ada', fields: [{ id: 2, value: 'B' }] },
  { kind: 'conversation', key: 'b', contact: 'a', service: 'mail' },
  { kind: 'message', key: 'c', conversation: 'b', type: 'text', payload: 'x', user_id: 1 },
];

beforeAll(async () => {
  const ends: (() => Promise<void>)[] = [];
  const { company, api, database, store } = await startService({ onCleanup: (end) => ends.push(end) });
  url = database.url;
  const asked = vi.spyOn(Client.prototype, 'query');
  const fixtures = await createFixtures(company);
  await company.field({ isUnique: true });
  for (const operation of operationIds) {
    const isMade = /^create/.test(operation);
    await sendValid(api, operation, fixtures);
    await sendValid(api, operation, fixtures, isMade ? { headers: { 'idempotency-key': operation } } : {});
  }
  const some = '?date_from=2000-01-01T00:00:00Z&date_to=2090-01-01T00:00:00Z&order=desc';
  for (const prefer of ['', 'count=exact']) {
    await api.listContacts(some, { prefer });
    await api.listConversations(some, { prefer });
    await api.searchContacts('no company at all', '', { prefer });
  }
  const parley = createCli(database.url);
  const of = ['--company', String(company.id)];
  await parley.reading(lines.map((line) => JSON.stringify(line)).join('\n'), 'import', '-', ...of);
  const conversation = ['--conversation', String(fixtures.conversation)];
  const contact = ['--contact', String(fixtures.contact)];
  const message = ['--message', String(fixtures.message)];
  for (const given of [
    ['company', 'list'],
    ['token', 'list'],
    ['field', 'list'],
    ['field', 'update', '--field', '2', '--no-unique'],
    ['field', 'update', '--field', '2', '--unique'],
    ['message', 'receive', ...conversation, '--payload', 'x'],
    ['message', 'update', ...message, '--read'],
    ['message', 'update', ...message, '--payload', 'y'],
    ['message', 'update', ...message, '--deleted'],
    ['conversation', 'open', ...contact, '--service', 'mail'],
    ['conversation', 'update', ...conversation, '--forward-to-team', '3'],
    ['conversation', 'update', ...conversation, '--state', 'closed'],
    ['conversation', 'update', ...conversation, '--state', 'archived'],
    ['conversation', 'update', ...conversation, '--state', 'deleted'],
    ['contact', 'delete', ...contact],
    ['field', 'delete', '--field', String(fixtures.field)],
  ]) {
    const { code, err } = await parley(...given, ...of);
    expect(code, `${given.join(' ')}: ${err}`).toBe(0);
  }
  await purgeIdempotencyKeys(store, Date.now());
  await purgeDeletedFieldValues(store);
  await purgeOldDeliveries(store, Date.now());
  for (const [given] of asked.mock.calls) {
    const text = typeof given === 'string' ? given : (given as unknown as { text: string }).text;
    // The test itself explains the statements at the end.
    if (!/^(explain|set)\b/.test(text))
      statements.add(text.replaceAll(/\s+/g, ' ').replaceAll('"', '').trim());
  }
  asked.mockRestore();
  for (const end of ends.reverse().slice(0, -1)) await end();
});

interface Key {
  table: string;
  columns: string[];
}

async function look<Row>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

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

/** Returns the distributed tables that a statement names, with repetitions. */
const namedIn = (text: string): string[] =>
  Array.from(text.matchAll(/\b(?:from|join|update|into|only) (\w+)/g), ([, table]) => table ?? '').filter(
    (table) => distributed.includes(table),
  );

/** Whether a statement specifies the company for each of its distributed tables. */
function isOfOneCompany(text: string): boolean {
  if (/^insert into/.test(text)) {
    const [, columns = ''] = /^insert into \w+ \(([^)]*)\)/.exec(text) ?? [];
    const conflict = /on conflict \(([^)]*)\)/.exec(text)?.[1];
    return columns.includes('company_id') && (conflict === undefined || conflict.includes('company_id'));
  }
  const said = text.match(/\bcompany_id = (\$\d+|\w+\.company_id)/g) ?? [];
  return said.length >= namedIn(text).length;
}

/** The statements across all companies, as listed in the guide. None of them locks rows or is recursive. */
const acrossCompanies: Record<string, RegExp> = {
  'fields that were deleted': /^select company_id, id from fields where deleted_at is not null/,
};

test('every statement on distributed tables specifies the company, with known exceptions', () => {
  const onThem = [...statements].filter((text) => namedIn(text).length > 0);
  expect(onThem.length).toBeGreaterThan(60);
  const isKnown = (text: string) => Object.values(acrossCompanies).some((pattern) => pattern.test(text));
  expect(onThem.filter((text) => !isOfOneCompany(text) && !isKnown(text))).toEqual([]);
  for (const [what, pattern] of Object.entries(acrossCompanies)) {
    const found = onThem.filter((text) => pattern.test(text));
    expect(found.length, what).toBeGreaterThan(0);
    for (const text of found) expect(text).not.toMatch(/for (no key )?update|recursive/);
  }
});

test('no statement uses both a table on the coordinator and a distributed table', () => {
  const tablesOf = (text: string) =>
    tableNames.filter((table) => new RegExp(`\\b(from|join) ${table}\\b`).test(text));
  const mixed = [...statements].filter((text) => {
    const used = tablesOf(text);
    return used.some((table) => local.includes(table)) && used.some((table) => distributed.includes(table));
  });
  expect(mixed).toEqual([]);
});

test.each([
  ['select * from contacts where id = $1', false],
  ['select * from contacts where company_id = $1', true],
  [
    'select * from contacts as c left join field_values as v on v.contact_id = c.id where c.company_id = $1',
    false,
  ],
  [
    'select * from contacts as c left join field_values as v on v.company_id = c.company_id where c.company_id = $1',
    true,
  ],
  ['select * from (select id from messages where company_id = $1) union all select id from messages', false],
  ['insert into contacts (first_name) values ($1)', false],
  ['insert into idempotency_keys (company_id, key) values ($1) on conflict (key) do nothing', false],
  ['update messages set read = $1 where id = $2', false],
  ['delete from fields where id = $1', false],
])('detects whether a statement specifies the company: %s', (text, isSo) => {
  expect(isOfOneCompany(text)).toBe(isSo);
});
