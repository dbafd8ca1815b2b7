import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client, Pool } from 'pg';
import { inject, onTestFinished } from 'vitest';
import { type OnCleanup, temporaryFolder } from './temporary-folder.ts';

export interface TestDatabase {
  /** The URL, in the form of DATABASE_URL. */
  url: string;
  /** The file of an embedded database; empty for PostgreSQL. */
  file: string;
  /** Runs a statement directly on the database. */
  executeSql(sql: string): Promise<void>;
  /** Queries the database directly. */
  look(sql: string): Promise<unknown[]>;
  /** Blocks all other writers. @returns a function that unblocks them */
  lock(): Promise<() => Promise<void>>;
  /** PostgreSQL only: blocks readers and writers of contacts. @returns a function that unblocks them */
  exclude(): Promise<() => Promise<void>>;
}

/** Whether these tests run on PostgreSQL. */
export const onPostgres = inject('postgres') !== undefined;

/**
 * Creates a database that is removed after the test. On PostgreSQL it is already migrated, unless `empty`. The file of
 * an embedded database does not exist yet; with `empty`, its folder does not exist either.
 */
export const createTestDatabase = ({
  empty = false,
  onCleanup = onTestFinished,
}: {
  empty?: boolean;
  onCleanup?: OnCleanup;
} = {}): Promise<TestDatabase> =>
  onPostgres
    ? freshPostgres(inject('postgres') ?? '', empty, onCleanup)
    : freshFile(empty ? 'data' : '', onCleanup);

/** Returns an embedded database in a temporary folder, whose file does not exist yet. */
export const freshFile = async (folder = '', onCleanup?: OnCleanup): Promise<TestDatabase> =>
  fileAt(join(await temporaryFolder(onCleanup), folder, 'parley.db'));

/** Returns a `TestDatabase` for the file of an embedded database. */
export function fileAt(file: string): TestDatabase {
  return {
    url: `file:${encodeURI(file)}`,
    file,
    async executeSql(sql) {
      const outside = new DatabaseSync(file);
      outside.exec(sql);
      outside.close();
    },
    async look(sql) {
      const outside = new DatabaseSync(file, { readOnly: true });
      const rows = outside.prepare(sql).all();
      outside.close();
      return rows;
    },
    async lock() {
      const outside = new DatabaseSync(file);
      outside.exec('BEGIN IMMEDIATE');
      return async () => outside.close();
    },
    exclude: () => Promise.reject(new Error('In WAL mode nothing blocks readers.')),
  };
}

let admin: Pool | undefined;

async function freshPostgres(server: string, empty: boolean, onCleanup: OnCleanup): Promise<TestDatabase> {
  admin ??= new Pool({ connectionString: server });
  const databases = admin;
  const name = `parley_test_${randomBytes(8).toString('hex')}`;
  await databases.query(
    `create database ${name} template ${empty ? 'template0' : inject('template')} ${inject('strategy')}`,
  );
  onCleanup(async () => {
    await databases.query(`drop database ${name} with (force)`);
  });
  const address = new URL(server);
  address.pathname = name;
  return postgresAt(address.href);
}

/** Returns a `TestDatabase` for an existing PostgreSQL database. */
export function postgresAt(url: string): TestDatabase {
  return {
    url,
    file: '',
    async executeSql(sql) {
      const client = await connected(url);
      await client.query(sql);
      await client.end();
    },
    async look(sql) {
      const client = await connected(url);
      const { rows } = await client.query(sql);
      await client.end();
      return rows;
    },
    async lock() {
      const client = await connected(url);
      const tables = await client.query(
        "select string_agg(quote_ident(tablename), ', ') as all from pg_tables where schemaname = 'public'",
      );
      return locked(client, `${tables.rows[0].all} in exclusive mode`);
    },
    exclude: async () => locked(await connected(url), 'contacts in access exclusive mode'),
  };
}

async function locked(client: Client, what: string): Promise<() => Promise<void>> {
  await client.query('begin');
  await client.query(`lock table ${what}`);
  return () => client.end();
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // Dropping the database closes its connections. Without a listener, the resulting error would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}
