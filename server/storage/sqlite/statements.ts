import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { sqliteToStoreError } from './errors.ts';

// Maximum number of cached prepared statements. Lists of varying length would add statements without limit.
const keptStatements = 500;

/** Adapts a node:sqlite database to Kysely's dialect. Each statement is prepared once and reused. */
export function preparedOnce(raw: DatabaseSync) {
  const statements = new Map<string, ReturnType<typeof statement>>();
  const statement = (prepared: StatementSync) => ({
    reader: prepared.columns().length > 0,
    all: (parameters: readonly unknown[]) => explaining(() => prepared.all(...bound(parameters))),
    run: (parameters: readonly unknown[]) => explaining(() => prepared.run(...bound(parameters))),
    iterate: (parameters: readonly unknown[]) => prepared.iterate(...bound(parameters)),
  });
  return {
    prepare(sql: string) {
      const known = statements.get(sql);
      if (known) return known;
      const [oldest] = statements.keys();
      if (statements.size >= keptStatements && oldest !== undefined) statements.delete(oldest);
      const made = statement(raw.prepare(sql));
      statements.set(sql, made);
      return made;
    },
    close: () => raw.close(),
  };
}

function bound(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((parameter) => {
    if (parameter === null || ['string', 'number', 'bigint'].includes(typeof parameter))
      return parameter as SQLInputValue;
    if (parameter instanceof Uint8Array) return parameter;
    throw new TypeError(`SQLite cannot store a ${typeof parameter}.`);
  });
}

function explaining<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteToStoreError(error);
  }
}
