import { DummyDriver, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { migrations as steps } from '../../../generated/migrations.ts';
import { type EngineName, engineOf, engines } from '../engine.ts';
import { lockDatabase, waitBriefly } from '../locks.ts';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';

/*
 * During an upgrade, two versions of Parley use one database. An expand migration (`0004-expand-…`) only adds what
 * older versions can ignore. A contract migration (`0007-contract-0005-…`) drops what is no longer used by any version
 * that includes migration 0005. So the name of a migration tells older versions whether they can still use the
 * database.
 */
const additive = /^\d{4}-expand-./;
const removing = /^\d{4}-contract-(\d{4})-./;

/**
 * Whether a version of Parley can use a database after a migration that this version does not know.
 * @param known the migrations that the version knows, in order
 */
export function isCompatibleAfter(step: string, known: readonly string[]): boolean {
  if (additive.test(step)) return true;
  const needed = removing.exec(step)?.[1];
  return needed !== undefined && needed <= (known.at(-1) ?? '').slice(0, needed.length);
}

/**
 * The migrations that led to the schema of version 1.6.0. The migration with the last of their names now creates that
 * schema, and the others do nothing. All names are still recorded, so older versions can use newer databases.
 */
const replacedMigrations = [
  '0001-first-schema',
  '0002-whole-service',
  '0003-deliveries',
  '0004-expand-rate-buckets',
  '0005-expand-creation-spans',
  '0006-expand-erasure',
  '0007-expand-webhook-tokens',
  '0008-expand-erasures',
  '0009-expand-traceparent',
  '0010-expand-audit-records',
  '0011-expand-rate-limits',
];

/** Says that a database is older than the first schema of this version, or undefined. @param applied recorded names */
export const tooOld = (applied: readonly string[]): string | undefined =>
  applied.length === 0 || applied.includes('0012-expand-usage-counts')
    ? undefined
    : 'a version of Parley before 1.6.0 has created it. Start version 1.6.0 once, which migrates it.';

/** The names of the migrations, in order, without those that another one replaces. */
export const allMigrations = Object.keys(steps);

/** All names that an up-to-date database records, in order. */
export const recordedMigrations = [...replacedMigrations, ...allMigrations];

/** The database belongs to another application or to an incompatible version of Parley. Nothing was changed. */
export class IncompatibleDatabase extends Error {}

/** The database has no tables, and the schema may not be created. */
export class DatabaseNotInitialized extends Error {}

const migrationTable = 'kysely_migration';

/**
 * Returns the migrations that a database lacks.
 * @throws IncompatibleDatabase if another application uses it, if it is older than the first migration, or if a newer
 * Parley has dropped what this version needs
 */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const tables = await engineOf(db).tables(db);
  if (tables.length === 0) return allMigrations;
  if (!tables.includes(migrationTable)) throw notOurs(tables);
  const rows = await db
    .withTables<{ [migrationTable]: { name: string } }>()
    .selectFrom(migrationTable)
    .select('name')
    .orderBy('name')
    .execute();
  const recorded = rows.map(({ name }) => name);
  const applied = recorded.filter((name) => !replacedMigrations.includes(name));
  const unknown = applied.filter((name) => !Object.hasOwn(steps, name));
  const pending = allMigrations.filter((name) => !applied.includes(name));
  if (unknown.length > 0 && pending.length > 0) throw notOurs(tables);
  const reason = tooOld(recorded);
  if (reason !== undefined) throw new IncompatibleDatabase(reason);
  const hindering = unknown.filter((name) => !isCompatibleAfter(name, allMigrations));
  if (hindering.length > 0)
    throw new IncompatibleDatabase(
      `a newer version of Parley has migrated it (${hindering.join(', ')}), and this version cannot use it. Start the newer version.`,
    );
  return pending;
}

const notOurs = (tables: readonly string[]): IncompatibleDatabase =>
  new IncompatibleDatabase(
    `it contains the data of another program (${tables
      .slice(0, 3)
      .map((table) => JSON.stringify(table))
      .join(', ')}${tables.length > 3 ? ' …' : ''}). Parley needs a database of its own.`,
  );

/**
 * Migrates a database to the newest schema, inside the caller's transaction.
 * @param options.upTo the last migration to run (default: the newest). Tests create older databases with it.
 * @throws IncompatibleDatabase, DatabaseNotInitialized
 */
export async function runMigrations(
  db: Database,
  { mayCreate = true, upTo = allMigrations.at(-1) ?? '' }: { mayCreate?: boolean; upTo?: string } = {},
): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return;
  if (!mayCreate && pending.length === allMigrations.length)
    throw new DatabaseNotInitialized('The database does not exist.');
  await lockDatabase(db);
  // Another process may have migrated the database while this one waited for the lock.
  if ((await pendingMigrations(db)).length === 0) return;
  let failed: unknown;
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    {
      // The migrator holds the connection, so migrations use the handle they get. It sets a lock timeout of an hour for
      // its own lock, which each migration shortens again.
      async up(held) {
        await waitBriefly(held);
        await step(held, engineOf(held)).catch((error: unknown) => {
          failed = error;
          throw error;
        });
      },
    },
  ]);
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        ...Object.fromEntries(replacedMigrations.map((name) => [name, { up: async () => {} }])),
        ...Object.fromEntries(migrations),
      }),
    },
    // Kysely did not start the transaction of the embedded database, and must not start another one.
    ...(db.isTransaction ? {} : { disableTransactions: true }),
  });
  const { error } = await migrator.migrateTo(upTo).catch((thrown: unknown) => ({ error: thrown }));
  // Errors after the first one only say that the transaction has failed.
  if (failed ?? error) throw failed ?? error;
}

const noConnection = () => Promise.reject(new Error('These statements are not run.'));

const withoutDriver = { createDriver: () => new DummyDriver() };

const dialects = {
  sqlite: Object.assign(new SqliteDialect({ database: noConnection }), withoutDriver),
  postgres: Object.assign(new PostgresDialect({ pool: noConnection }), withoutDriver),
};

/** Returns the SQL of a migration without running it. @param name a pending migration */
export async function migrationStatements(name: string, engine: EngineName): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<Schema>({
    dialect: dialects[engine],
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  await steps[name]?.(db, engines[engine]);
  return statements;
}
