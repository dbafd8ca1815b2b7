import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';

/** Somebody who uses a database beside the service. */
export interface Outsider {
  run(sql: string): Promise<void>;
  /** Keeps everybody else from writing. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
  end(): Promise<void>;
}

export interface TestDatabase {
  /** As DATABASE_URL has it. */
  url: string;
  outsider(): Promise<Outsider>;
}

/** Whether these tests run on PostgreSQL. */
export const onPostgres = inject('postgres') !== undefined;

/** A database of the newest schema, or none yet, that is gone after the test. */
export const freshDatabase = ({ empty = false } = {}): Promise<TestDatabase> =>
  onPostgres ? freshPostgres(inject('postgres') ?? '', empty) : freshFile();

async function freshFile(): Promise<TestDatabase> {
  const file = join(await temporaryFolder(), 'parley.db');
  return {
    url: `file:${encodeURI(file)}`,
    async outsider() {
      const database = new DatabaseSync(file);
      return {
        run: async (sql) => database.exec(sql),
        lock: async () => database.exec('BEGIN IMMEDIATE'),
        unlock: async () => database.exec('ROLLBACK'),
        end: async () => database.close(),
      };
    },
  };
}

/** A folder that goes when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley test '));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

let admin: Promise<Client> | undefined;

async function freshPostgres(server: string, empty: boolean): Promise<TestDatabase> {
  admin ??= connected(server);
  const database = await admin;
  const name = `parley_test_${randomBytes(8).toString('hex')}`;
  await database.query(`create database ${name} template ${empty ? 'template0' : inject('template')}`);
  onTestFinished(async () => {
    await database.query(`drop database ${name} with (force)`);
  });
  const address = new URL(server);
  address.pathname = name;
  return {
    url: address.href,
    async outsider() {
      const client = await connected(address.href);
      return {
        run: async (sql) => void (await client.query(sql)),
        async lock() {
          await client.query('begin');
          const { rows } = await client.query(
            "select string_agg(quote_ident(tablename), ', ') as tables from pg_tables where schemaname = 'public'",
          );
          await client.query(`lock table ${rows[0].tables} in exclusive mode`);
        },
        unlock: async () => void (await client.query('rollback')),
        end: () => client.end(),
      };
    },
  };
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // A database that is dropped ends the connections to it.
  client.on('error', () => {});
  await client.connect();
  return client;
}
