import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import { isConnectionUnusable, postgresToStoreError, StatementOutdated } from './errors.ts';

// Maximum number of prepared statements per connection, and of parameters of a prepared statement. Lists of varying
// length create statements that are used once.
const keptStatements = 300;
const maxParameters = 64;

/**
 * Returns a connection pool for Kysely's dialect. Each connection prepares a statement only once. Errors are converted
 * to errors of the store.
 */
export function preparedOnce(connect: () => Promise<PoolClient>, end: () => Promise<void>): PostgresPool {
  const names = new Map<string, string>();
  let generation = 0;
  const forgetNames = () => {
    generation += 1;
    names.clear();
  };
  const nameOf = (text: string, parameters: readonly unknown[]): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || parameters.length > maxParameters || names.size >= keptStatements)
      return known;
    const name = `parley_${generation}_${names.size}`;
    names.set(text, name);
    return name;
  };
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  const wrapped = (client: PoolClient): PostgresPoolClient => {
    /** The error that made the connection unusable. */
    let broken: { cause: unknown } | undefined;
    const run = async (text: string, parameters: readonly unknown[]) => {
      const name = parameters.length > 0 ? nameOf(text, parameters) : undefined;
      const values = bound(parameters);
      // A later statement, such as the rollback, would get no response either. Its error must not replace the cause.
      if (broken) throw broken.cause;
      try {
        return await client.query(name === undefined ? { text, values } : { name, text, values });
      } catch (error) {
        const known = postgresToStoreError(error);
        if (isConnectionUnusable(error)) broken ??= { cause: known };
        if (known instanceof StatementOutdated) forgetNames();
        throw known;
      }
    };
    function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
    function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
    function query(text: unknown, parameters: readonly unknown[] = []): unknown {
      if (typeof text !== 'string') throw new TypeError('Cursors are not supported.');
      return run(text, parameters);
    }
    return {
      query,
      release: (destroy) => client.release(broken !== undefined || (destroy ?? false)),
    };
  };
  return {
    options: {},
    async connect() {
      const client = await connect().catch((error: unknown) => {
        throw postgresToStoreError(error);
      });
      const known = clients.get(client) ?? wrapped(client);
      clients.set(client, known);
      return known;
    },
    end,
  };
}

function bound(parameters: readonly unknown[]): unknown[] {
  return parameters.map((parameter) => {
    // pg would store undefined as null.
    if (parameter === undefined) throw new TypeError('PostgreSQL cannot store undefined.');
    return parameter instanceof Uint8Array
      ? Buffer.from(parameter.buffer, parameter.byteOffset, parameter.byteLength)
      : parameter;
  });
}
