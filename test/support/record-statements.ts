import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Database, Store } from '../../server/storage/store.ts';

/** A statement that the service has run. */
export interface RecordedStatement {
  text: string;
  values: readonly unknown[];
}

/** Recorded statements, by their text. */
export type Statements = Map<string, RecordedStatement>;

const recording = new AsyncLocalStorage<Statements>();

const note = (text: unknown, values: readonly unknown[] = []): void => {
  if (typeof text === 'string' && /^\s*(select|insert|update|delete|with)\b/.test(text))
    recording.getStore()?.set(text, { text, values });
};

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (text) {
  note(text);
  return prepare.call(this, text);
};

const { query } = Client.prototype;
Client.prototype.query = function (this: Client, ...given: [{ text: string; values?: unknown[] }]) {
  note(given[0]?.text, given[0]?.values);
  return Reflect.apply(query, this, given);
} as typeof query;

/** Runs work and records its statements. */
export const recordStatements = <T>(statements: Statements, work: () => Promise<T>): Promise<T> =>
  recording.run(statements, work);

/** Returns a store that records the statements of its callers. Tests use the original for their own statements. */
export function recordingStore(store: Store, statements: Statements): Store {
  const recorded =
    <T, Handle extends Database>(work: (db: Handle) => Promise<T>) =>
    (db: Handle): Promise<T> =>
      recordStatements(statements, () => work(db));
  return {
    ...store,
    read: (work) => store.read(recorded(work)),
    readSnapshot: (work) => store.readSnapshot(recorded(work)),
    write: (work, company) => store.write(recorded(work), company),
    writeInGroup: (work, company, group) => store.writeInGroup(recorded(work), company, group),
  };
}
