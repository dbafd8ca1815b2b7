import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { ApiError } from '../contract/errors.ts';
import { errorResponse } from '../errors.ts';
import { recordCommands } from '../features/audit/record-commands.ts';
import type { Progress } from '../lib/progress.ts';
import type { Terminal } from '../lib/terminal.ts';
import type { DatabaseConfig } from '../runtime/config/database-url.ts';
import { openStore } from '../runtime/open-store.ts';
import { findCompany, listCompanies } from '../storage/queries/companies.ts';
import type { Database, Store, Transaction } from '../storage/store.ts';

/** A usage error that the option parser does not detect. */
export class UsageError extends Error {}

// Most commands run one query at a time, commands that list data at most two.
const poolSize = 2;

// Statement timeout. It is long, because operator commands may process all rows of a table.
const statementMs = 600_000;

export interface CommandContext {
  store: Store;
  /** Returns milliseconds since 1970. */
  now: () => number;
}

export interface StoreSettings {
  /** Whether the command may create the database (default: no). */
  mayCreate?: boolean | undefined;
  /** Lock timeout, in milliseconds (default: 5 s). */
  lockWaitMs?: number | undefined;
}

/** Opens the database for some work, and closes it. */
export async function withStore<T>(
  address: DatabaseConfig,
  work: (context: CommandContext) => Promise<T>,
  { mayCreate = false, lockWaitMs = 5_000 }: StoreSettings = {},
): Promise<T> {
  const store = await openStore(address, { mayCreate, lockWaitMs, poolSize, statementMs });
  try {
    return await work({ store: audited(store), now: Date.now });
  } finally {
    await store.close();
  }
}

/** Returns a store that records the running command with its first write (D68). */
export function audited(store: Store): Store {
  const { command, env } = cliIo();
  return command ? recordCommands(store, { ...command, environment: env }, Date.now) : store;
}

/** Records the running command, if its changes bypass `audited` (D68). */
export const recordCommand = (store: Store): Promise<void> => audited(store).write(async () => {});

/** Returns the file of the embedded database. @throws UsageError for PostgreSQL, which has its own tools */
export function sqliteFileOf(address: DatabaseConfig, instead: string): string {
  if (address.engine === 'sqlite') return address.file;
  throw new UsageError(`This is for the embedded database (DATABASE_URL=file:…). ${instead}`);
}

/** Returns the path of a file. @throws Error if the file does not exist */
export function requireFile(file: string): string {
  if (existsSync(file)) return file;
  throw new Error(`The file ${file} does not exist.`);
}

/** @throws ApiError if the company does not exist */
export async function requireCompany(db: Database, id: number): Promise<void> {
  if (!(await findCompany(db, id))) throw noCompanyError(id);
}

/** Returns the error for the ID of a company that does not exist. */
export const noCompanyError = (id: number): ApiError =>
  new ApiError(
    errorResponse('notFound', {
      message: `There is no company ${id}. See: npm run -s parley -- company list`,
    }),
  );

/**
 * Reads rows of one company, or of all companies in order of ID.
 * @param company undefined for all companies
 * @throws ApiError if the company does not exist
 */
export async function readOfCompanies<Row>(
  store: Store,
  company: number | undefined,
  read: (db: Database, companyId: number) => Promise<Row[]>,
): Promise<Row[]> {
  if (company !== undefined)
    return store.read(async (db) => {
      await requireCompany(db, company);
      return read(db, company);
    });
  const rows: Row[] = [];
  for (const { id } of await store.read(listCompanies))
    rows.push(...(await store.read((db) => read(db, id))));
  return rows;
}

/** Runs a write transaction for a company, which must exist. */
export const writeForCompany = <T>(
  store: Store,
  company: number,
  work: (db: Transaction) => Promise<T>,
): Promise<T> =>
  store.write(async (db) => {
    await requireCompany(db, company);
    return work(db);
  });

/** Input and output of a command besides the database. */
export interface CliIo {
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable;
  stdout: Terminal;
  stderr: Terminal;
  /** The progress of the command on `stderr`. It prints nothing with `--json`, and ends with the command. */
  progress: Progress;
  exitCode: number;
  /** The command that runs: its name, such as `token revoke`, and its options without personal data. */
  command?: { name: string; options: Readonly<Record<string, unknown>> };
}

const current = new AsyncLocalStorage<CliIo>();

/** Returns the input and output of the running command, which Commander cannot pass to actions. */
export function cliIo(): CliIo {
  const found = current.getStore();
  if (!found) throw new Error('Commands run only inside runCli.');
  return found;
}

export const within = <T>(given: CliIo, work: () => Promise<T>): Promise<T> => current.run(given, work);
