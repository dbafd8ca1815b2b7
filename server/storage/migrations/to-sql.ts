import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type EngineName, engines, type SchemaMigration } from '../engine.ts';
import type { Schema } from '../schema.ts';

const parts = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<Schema>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: Kysely<Schema>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
};

/** Returns the statements of a migration without running them. */
export async function migrationToSql(step: SchemaMigration, engine: EngineName): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<Schema>({
    dialect: { ...parts[engine], createDriver: () => new DummyDriver() },
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  await step(db, engines[engine]);
  return statements;
}
