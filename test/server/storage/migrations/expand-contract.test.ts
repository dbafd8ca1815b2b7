import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EngineName } from '../../../../server/storage/engine.ts';
import {
  allMigrations,
  isCompatibleAfter,
  migrationStatements,
  recordedMigrations,
} from '../../../../server/storage/migrations/migrate.ts';

/*
 * The rule for migrations. During a rolling upgrade, older and newer versions use the same database. An expand
 * migration therefore removes nothing that an older version needs, and blocks reads and writes only briefly. A contract
 * migration has the number of an earlier migration in its name, and removes only what versions without that earlier
 * migration use.
 */

const upgrade = readFileSync('openapi/guides/upgrade.md', 'utf8');

const nameIn = (statement: string, pattern: RegExp): string => pattern.exec(statement)?.[1] ?? '';

/** Returns a message for each statement that an expand migration must not contain. */
function violationsIn(statements: readonly string[]): string[] {
  const made = statements.map((each) => nameIn(each, /^create table "(\w+)"/)).filter((name) => name !== '');
  return statements.flatMap((statement) => {
    if (/^create table /.test(statement)) return [];
    // Creating an index on a large table blocks writes for a long time.
    if (/^create (unique )?index /.test(statement))
      return made.includes(nameIn(statement, / on "(\w+)"/))
        ? []
        : [`an index on what is there: ${statement}`];
    if (/^create function /.test(statement)) return [];
    if (/^create trigger /.test(statement))
      return made.includes(nameIn(statement, / on "(\w+)"/))
        ? []
        : [`a trigger on what is there: ${statement}`];
    const added = /^alter table "(\w+)" add column "\w+" \w+(.*)$/.exec(statement);
    if (!added) return [`not known to be harmless: ${statement}`];
    const [, , more = ''] = added;
    const isFilled = /^( not null)? default ('[^']*'|\d+)( not null)?$/.test(more);
    return more === '' || isFilled ? [] : [`a column that others do not fill: ${statement}`];
  });
}

const engines: EngineName[] = ['sqlite', 'postgres'];

// The first migration creates the database, so no older version uses it.
test.each(allMigrations.slice(1))(
  'the migration %s follows the rule for expand and contract migrations',
  async (name) => {
    expect(name).toMatch(/^\d{4}-(expand|contract-\d{4})-[a-z-]+$/);
    for (const engine of engines) {
      const statements = await migrationStatements(name, engine);
      expect(statements).not.toEqual([]);
      if (name.includes('-expand-')) expect(violationsIn(statements)).toEqual([]);
      else
        for (const each of statements)
          expect(each).toMatch(/^(drop (table|index)|alter table "\w+" drop column) /);
    }
    const needed = /-contract-(\d{4})/.exec(name)?.[1];
    if (needed) expect(allMigrations.some((step) => step.startsWith(needed) && step < name)).toBe(true);
  },
);

test('the upgrade guide names each contract migration', () => {
  for (const name of allMigrations.filter((each) => each.includes('-contract-')))
    expect(upgrade, `Say in openapi/guides/upgrade.md what ${name} needs.`).toContain(name);
});

test('migrations are numbered consecutively', () => {
  expect(recordedMigrations.map((name) => Number(name.slice(0, 4)))).toEqual(
    recordedMigrations.map((_, index) => index + 1),
  );
});

test.each([
  'drop table "contacts"',
  'alter table "contacts" drop column "avatar"',
  'alter table "contacts" alter column "id" type text',
  'alter table "contacts" add column "nickname" text not null',
  'alter table "contacts" add column "nickname" text unique',
  'alter table "contacts" add column "made" bigint default now()',
  'create index "contacts_x" on "contacts" ("avatar")',
  'create unique index "contacts_x" on "contacts" ("avatar")',
  'update contacts set avatar = null',
  'create trigger x after insert on contacts begin select 1; end',
])('an expand migration must not contain: %s', (statement) => {
  expect(violationsIn([statement])).toHaveLength(1);
});

test.each([
  [['create table "notes" ("id" bigint)', 'create unique index "notes_x" on "notes" ("id")']],
  [['alter table "contacts" add column "nickname" text']],
  [['alter table "contacts" add column "visits" bigint default 0 not null']],
  [[`alter table "contacts" add column "log" text not null default '[]'`]],
])('an expand migration may contain: %s', (statements) => {
  expect(violationsIn(statements)).toEqual([]);
});

test.each([
  ['0005-expand-notes', true],
  ['0009-contract-0005-drop-old-notes', false],
  ['0009-contract-0004-drop-old-limits', true],
  ['0009-contract-0001-drop-x', true],
  ['0009-notes', false],
  ['9999-future', false],
])('after %s, a version with migrations up to 0004 can use the database: %s', (step, can) => {
  expect(isCompatibleAfter(step, ['0003-deliveries', '0004-expand-rate-buckets'])).toBe(can);
});
