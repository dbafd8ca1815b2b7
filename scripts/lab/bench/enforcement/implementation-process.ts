import { once } from 'node:events';
import { serverUrl } from '../../../../server/lib/server-url.ts';
import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';
import { createSharedHandlers, type Serve } from './shared-handlers.ts';

/*
 * Runs one implementation in its own process. Environment variables name the implementation and its database.
 */

/** The module of each implementation, by its name in the results. */
export const implementations = {
  Express: './implementations/bare-express.ts',
  'Express, stock validator': './implementations/stock-validator.ts',
  'Express, our middleware': './implementations/express-with-contract.ts',
  Parley: './implementations/parley.ts',
} as const;

export type Implementation = keyof typeof implementations;

const { BENCH_CONTESTANT = '', BENCH_DATABASE = '' } = process.env;

if (import.meta.main) {
  const { serve }: { serve: Serve } = await import(implementations[BENCH_CONTESTANT as Implementation]);
  const store = await openSqlite(BENCH_DATABASE);
  const server = await serve(createSharedHandlers(store));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`listens on ${serverUrl(server, '127.0.0.1')}\n`);
  process.once('SIGTERM', () => process.exit());
}
