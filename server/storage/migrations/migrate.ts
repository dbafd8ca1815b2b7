import { type Migration, Migrator } from 'kysely/migration';
import { migrations as steps } from '../../../generated/migrations.ts';
import { type EngineName, engineOf } from '../engine.ts';
import { lockDatabase, waitBriefly } from '../locks.ts';
import type { Database } from '../store.ts';
import { isCompatibleAfter, replacedMigrations, tooOld } from './names.ts';
import { migrationToSql } from './to-sql.ts';

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

/** Returns the SQL of a migration. @param name a pending migration */
export async function migrationStatements(name: string, engine: EngineName): Promise<string[]> {
  const step = steps[name];
  return step ? migrationToSql(step, engine) : [];
}

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
