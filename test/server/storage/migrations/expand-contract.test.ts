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

/** Returns the statements that an expand migration must not contain: all that are not known to be harmless. */
function violationsIn(statements: readonly string[]): string[] {
  const made = statements.flatMap((statement) => /^create table "(\w+)"/.exec(statement)?.[1] ?? []);
  const harmless = [
    /^create (table|function) /,
    // On a table with rows, creating an index blocks writes for a long time.
    ...made.map((name) => new RegExp(`^create (unique index|index|trigger) .* on "${name}"`, 's')),
    // Older versions do not fill the column.
    /^alter table "\w+" add column "\w+" \w+(( not null)? default ('[^']*'|\d+)( not null)?)?$/,
  ];
  return statements.filter((statement) => !harmless.some((pattern) => pattern.test(statement)));
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
  ['0005-expand-notes', true],
  ['0009-contract-0005-drop-old-notes', false],
  ['0009-contract-0004-drop-old-limits', true],
  ['0009-contract-0001-drop-x', true],
  ['0009-notes', false],
  ['9999-future', false],
])('after %s, a version with migrations up to 0004 can use the database: %s', (step, can) => {
  expect(isCompatibleAfter(step, ['0003-deliveries', '0004-expand-rate-buckets'])).toBe(can);
});
