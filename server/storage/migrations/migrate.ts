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
};

/** In the order in which they are taken. */
export const allMigrations = Object.keys(steps);

/** A database that is not for this program to work on; nothing was changed in it. */
export class IncompatibleDatabase extends Error {}

/** There is nothing yet, and nothing may be made. */
export class DatabaseNotInitialized extends Error {}

const migrationTable = 'kysely_migration';

/**
 * Which steps a database still needs.
 * @throws IncompatibleDatabase where something else is in it, or a newer Parley has taken something away that this one needs
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
  const taken = rows.map(({ name }) => name);
  const unknown = taken.filter((name) => !Object.hasOwn(steps, name));
  const pending = allMigrations.filter((name) => !taken.includes(name));
  if (unknown.length > 0 && pending.length > 0) throw notOurs(tables);
  const hindering = unknown.filter((name) => !isCompatibleAfter(name, allMigrations));
  if (hindering.length > 0)
    throw new IncompatibleDatabase(
      `a newer Parley has brought it to its schema (${hindering.join(', ')}), in which this one cannot work. Start that one.`,
    );
  return pending;
}

const notOurs = (tables: readonly string[]): IncompatibleDatabase =>
  new IncompatibleDatabase(
    `it holds the data of another program (${tables.slice(0, 3).join(', ')}${tables.length > 3 ? ' …' : ''}). Parley needs a database of its own.`,
  );

/** What a step would do, as SQL. @param name one of the pending steps */
export async function migrationStatements(name: string, engine: EngineName): Promise<string[]> {
  const step = steps[name];
  return step ? migrationToSql(step, engine) : [];
}

/**
 * Brings a database to the newest schema, inside the transaction that the caller holds: all steps are taken or
 * none.
 * @throws IncompatibleDatabase, DatabaseNotInitialized
 */
export async function runMigrations(
  db: Database,
  engine: EngineName,
  { mayCreate = true }: { mayCreate?: boolean } = {},
): Promise<void> {
  const pending = await pendingMigrations(db, engine);
  if (pending.length === 0) return;
  if (!mayCreate && pending.length === allMigrations.length)
    throw new DatabaseNotInitialized('There is no database.');
  await engines[engine].lockDatabase(db);
  // Whoever held the lock before may have done it.
  if ((await pendingMigrations(db, engine)).length === 0) return;
  let failed: unknown;
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    {
      // The migrator holds the connection, so the step must work on the handle that it is given; for its own lock it
      // waits an hour, and lets the steps do so.
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
    // On the embedded database the transaction is not Kysely's own.
    ...(db.isTransaction ? {} : { disableTransactions: true }),
  });
  const { error } = await migrator.migrateToLatest().catch((thrown: unknown) => ({ error: thrown }));
  // What comes after a failure in a transaction says only that there was one.
  if (failed ?? error) throw failed ?? error;
}
