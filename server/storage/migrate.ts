import { type Migration, Migrator } from 'kysely/migration';
import { engines, type SchemaStep } from './engines.ts';
import { firstSchema } from './migrations/0001-first-schema.ts';
import { wholeService } from './migrations/0002-whole-service.ts';
import type { Database } from './store.ts';

const steps: Record<string, SchemaStep> = {
  '0001-first-schema': firstSchema,
  '0002-whole-service': wholeService,
};

/** Brings a database to the newest schema, inside the transaction that the caller holds. */
export async function migrate(db: Database, engine: keyof typeof engines): Promise<void> {
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    // The migrator holds the connection, so the step must work on the handle that it is given.
    { up: (held) => step(held, engines[engine]) },
  ]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    // The caller's transaction is the lock, and all steps are taken or none.
    disableTransactions: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
