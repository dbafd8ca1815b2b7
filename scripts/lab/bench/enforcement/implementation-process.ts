import { once } from 'node:events';
import { serverUrl } from '../../../../server/lib/server-url.ts';
import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';
import { type Implementation, implementations } from './implementations.ts';
import { createSharedHandlers } from './shared-handlers.ts';

/*
 * Runs one implementation in its own process. Environment variables name the implementation and its database.
 */

const { BENCH_CONTESTANT = '', BENCH_DATABASE = '' } = process.env;
const store = await openSqlite(BENCH_DATABASE);
const server = await implementations[BENCH_CONTESTANT as Implementation](createSharedHandlers(store));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listens on ${serverUrl(server, '127.0.0.1')}\n`);
process.once('SIGTERM', () => process.exit());
