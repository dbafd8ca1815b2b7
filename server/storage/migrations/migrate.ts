import { type Migration, Migrator } from 'kysely/migration';
import { type EngineName, engines, type SchemaMigration } from '../engine.ts';
import type { Database } from '../store.ts';
import { firstSchema } from './0001-first-schema.ts';
import { wholeService } from './0002-whole-service.ts';
import { deliveries } from './0003-deliveries.ts';
import { rateBuckets } from './0004-expand-rate-buckets.ts';
import { creationSpans } from './0005-expand-creation-spans.ts';
import { erasure } from './0006-expand-erasure.ts';
import { webhookTokens } from './0007-expand-webhook-tokens.ts';
import { erasures } from './0008-expand-erasures.ts';
import { traceparent } from './0009-expand-traceparent.ts';
import { auditRecords } from './0010-expand-audit-records.ts';
import { rateLimits } from './0011-expand-rate-limits.ts';
import { usageCounts } from './0012-expand-usage-counts.ts';
import { unsettledWebhooks } from './0013-expand-unsettled-webhooks.ts';
import { isCompatibleAfter } from './names.ts';
import { migrationToSql } from './to-sql.ts';

const steps: Record<string, SchemaMigration> = {
  '0001-first-schema': firstSchema,
  '0002-whole-service': wholeService,
  '0003-deliveries': deliveries,
  '0004-expand-rate-buckets': rateBuckets,
  '0005-expand-creation-spans': creationSpans,
  '0006-expand-erasure': erasure,
  '0007-expand-webhook-tokens': webhookTokens,
  '0008-expand-erasures': erasures,
  '0009-expand-traceparent': traceparent,
  '0010-expand-audit-records': auditRecords,
  '0011-expand-rate-limits': rateLimits,
  '0012-expand-usage-counts': usageCounts,
  '0013-expand-unsettled-webhooks': unsettledWebhooks,
};

/** The names of all migrations, in order. */
export const allMigrations = Object.keys(steps);

/** The database belongs to another application or to an incompatible version of Parley. Nothing was changed. */
export class IncompatibleDatabase extends Error {}

/** The database has no tables, and the schema may not be created. */
export class DatabaseNotInitialized extends Error {}

const migrationTable = 'kysely_migration';

/**
 * Returns the migrations that a database lacks.
 * @throws IncompatibleDatabase if another application uses it, or if a newer Parley has dropped what this version
 * needs
 */
export async function pendingMigrations(db: Database, engine: EngineName): Promise<string[]> {
  const tables = await engines[engine].tables(db);
  if (tables.length === 0) return allMigrations;
  if (!tables.includes(migrationTable)) throw notOurs(tables);
  const rows = await db
    .withTables<{ [migrationTable]: { name: string } }>()
    .selectFrom(migrationTable)
    .select('name')
    .orderBy('name')
    .execute();
  const applied = rows.map(({ name }) => name);
  const unknown = applied.filter((name) => !Object.hasOwn(steps, name));
  const pending = allMigrations.filter((name) => !applied.includes(name));
  if (unknown.length > 0 && pending.length > 0) throw notOurs(tables);
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
  engine: EngineName,
  { mayCreate = true, upTo = allMigrations.at(-1) ?? '' }: { mayCreate?: boolean; upTo?: string } = {},
): Promise<void> {
  const pending = await pendingMigrations(db, engine);
  if (pending.length === 0) return;
  if (!mayCreate && pending.length === allMigrations.length)
    throw new DatabaseNotInitialized('The database does not exist.');
  await engines[engine].lockDatabase(db);
  // Another process may have migrated the database while this one waited for the lock.
  if ((await pendingMigrations(db, engine)).length === 0) return;
  let failed: unknown;
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    {
      // The migrator holds the connection, so migrations use the handle they get. It sets a lock timeout of an hour for
      // its own lock, which each migration shortens again.
      async up(held) {
        await engines[engine].waitBriefly(held);
        await step(held, engines[engine]).catch((error: unknown) => {
          failed = error;
          throw error;
        });
      },
    },
  ]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    // Kysely did not start the transaction of the embedded database, and must not start another one.
    ...(db.isTransaction ? {} : { disableTransactions: true }),
  });
  const { error } = await migrator.migrateTo(upTo).catch((thrown: unknown) => ({ error: thrown }));
  // Errors after the first one only say that the transaction has failed.
  if (failed ?? error) throw failed ?? error;
}
