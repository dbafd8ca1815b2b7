import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';
import { listenLocally } from '../../../lib/local-server.ts';
import { type Implementation, implementations } from './implementations.ts';
import { createSharedHandlers } from './shared-handlers.ts';

/*
 * Runs one implementation in its own process. Environment variables name the implementation and its database.
 */

const { BENCH_CONTESTANT = '', BENCH_DATABASE = '' } = process.env;
const store = await openSqlite(BENCH_DATABASE);
const server = await implementations[BENCH_CONTESTANT as Implementation](createSharedHandlers(store));
server.keepAliveTimeout = 60_000;
const { url } = await listenLocally(server);
process.stdout.write(`listens on ${url}\n`);
process.once('SIGTERM', () => process.exit());
