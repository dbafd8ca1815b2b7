import { once } from 'node:events';
import { addressOf } from '../../../server/pipeline/http-server.ts';
import { openSqlite } from '../../../server/storage/sqlite.ts';
import { createSameWork, type Serve } from './same-work.ts';

/*
 * One contestant in a process of its own: which one, and its database, come in the environment.
 */

/** Who they are, as the result names them. */
export const contestants = {
  'node:http': './contestants/node-http.ts',
  Express: './contestants/bare-express.ts',
  'Express, stock validator': './contestants/stock-validator.ts',
  Fastify: './contestants/fastify.ts',
  'openapi-backend': './contestants/openapi-backend.ts',
  Parley: './contestants/parley.ts',
} as const;

export type Contestant = keyof typeof contestants;

const { BENCH_CONTESTANT = '', BENCH_DATABASE = '' } = process.env;

if (import.meta.main) {
  const { serve }: { serve: Serve } = await import(contestants[BENCH_CONTESTANT as Contestant]);
  const store = await openSqlite(BENCH_DATABASE);
  const server = await serve(createSameWork(store));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`listens on ${addressOf(server, '127.0.0.1')}\n`);
  process.once('SIGTERM', () => process.exit());
}
