import { PostgresAdapter } from 'kysely';
import type { Engine } from './dialect.ts';
import { postgresEngine } from './postgres/postgres-engine.ts';
import { sqliteEngine } from './sqlite/sqlite-engine.ts';
import type { Database } from './store.ts';

/** A migration. It never changes after its release. */
export type SchemaMigration = (db: Database, engine: Engine) => Promise<void>;

export const engines = { sqlite: sqliteEngine, postgres: postgresEngine } as const;

export type EngineName = keyof typeof engines;

/** Returns the engine of a handle. */
export const engineOf = (db: Database): Engine =>
  engines[db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'];
