import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { ApiError } from '../contract/errors.ts';
import { errorCode, errorResponse } from '../errors.ts';
import { recordCommands } from '../features/audit/record-commands.ts';
import { errorMessage } from '../lib/error-message.ts';
import type { Terminal } from '../lib/terminal.ts';
import { ConfigError, readDatabaseConfig } from '../runtime/config/config.ts';
import type { DatabaseConfig } from '../runtime/config/database-url.ts';
import { openStore } from '../runtime/open-store.ts';
import { findCompany, listCompanies } from '../storage/queries/companies.ts';
import { type Database, type Store, StoreUnavailable, type Transaction } from '../storage/store.ts';
import type { Output } from './output.ts';

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

/** An option of every command. */
export interface JsonOption {
  json?: true;
}

type Work<Options> = (workplace: CommandContext, options: Options & JsonOption) => Promise<Output>;

/**
 * Creates the action of a command. It opens the database, runs the work, prints the result and sets the exit code: 0
 * done, 1 rejected or failed, 2 usage error.
 * @param mayCreate whether the command may create the database
 * @param lockWaitMs lock timeout
 */
export function action<Options extends object>(
  work: Work<Options>,
  { mayCreate = false, lockWaitMs = 5_000 } = {},
) {
  return actionAt<Options>((address, options) =>
    withStore(address, (context) => work(context, options), { mayCreate, lockWaitMs }),
  );
}

/** Opens the database for some work, and closes it. */
export async function withStore<T>(
  address: DatabaseConfig,
  work: (context: CommandContext) => Promise<T>,
  { mayCreate = false, lockWaitMs = 5_000 } = {},
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

/** Creates the action of a command that gets the location of the database instead of an open store. */
export function actionAt<Options extends object>(
  work: (address: DatabaseConfig, options: Options & JsonOption) => Promise<Output>,
) {
  return async (options: Options & JsonOption): Promise<void> => {
    const { env, stdout } = cliIo();
    try {
      const { text, json } = await work(readDatabaseConfig(env), options);
      if (options.json) stdout.printJson(json, 2);
      else stdout.print(text);
    } catch (error) {
      report(error, options.json ?? false);
    }
  };
}

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

function report(error: unknown, asJson: boolean): void {
  const message = messageOf(error);
  const code = error instanceof ApiError ? errorCode(error.errorResponse.errorName) : undefined;
  const fields = error instanceof ApiError ? error.errorResponse.fields : '';
  const io = cliIo();
  if (asJson) io.stderr.printJson({ error: { code, message, fields } });
  else io.stderr.printFailure(message);
  io.exitCode = error instanceof ConfigError || error instanceof UsageError ? 2 : 1;
}

/** Returns an error's message. If the database is unavailable, the message includes the cause. */
function messageOf(error: unknown): string {
  return error instanceof StoreUnavailable && error.cause instanceof Error
    ? `${error.message.replace(/\.$/, '')}: ${error.cause.message.replace(/\.$/, '')}.`
    : errorMessage(error);
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
