import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { createPostgresServer } from '../../scripts/lib/postgres-server.ts';
import { openPostgres } from '../../server/storage/postgres/postgres-store.ts';
import { assertStateChanges } from './assert-state-changes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL server; undefined if tests run on the embedded database. */
    postgres: string | undefined;
  }
}

/** The name of the migrated database that test databases are copied from. */
export const template = `parley_template_${process.pid}`;

/**
 * Creates the template database that tests copy. If TEST_DATABASE_URL does not name a server, starts one for the whole
 * run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const postgres = given ? undefined : await createPostgresServer();
  await postgres?.start();
  const url = given ?? postgres?.url ?? '';
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${template} encoding 'UTF8' template template0`);
  const made = new URL(url);
  made.pathname = template;
  await (await openPostgres(made.href)).close();
  const inTemplate = new Client({ connectionString: made.href });
  await inTemplate.connect();
  await inTemplate.query(assertStateChanges.postgres);
  await inTemplate.end();
  project.provide('postgres', url);
  project.provide('template', template);
  const { rows } = await admin.query("select current_setting('server_version_num')::int >= 150000 as knows");
  project.provide('strategy', rows[0].knows ? 'strategy file_copy' : '');
  return async () => {
    await admin.query(`drop database ${template}`);
    await admin.end();
    await postgres?.remove();
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    template: string | undefined;
    /** STRATEGY clause of CREATE DATABASE. Copying files is four times as fast for small databases. */
    strategy: string;
  }
}
