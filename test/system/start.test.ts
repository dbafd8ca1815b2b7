import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { variables } from '../../server/runtime/config/variables.ts';
import { createApiClient } from '../support/api-client.ts';
import { onPostgres } from '../support/databases.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { endedService, spawnService, startedService } from './service-process.ts';

test('serves liveness, readiness and the contract without a token', async () => {
  const { api } = await startedService({}, ['--empty']);
  expect(await api.send('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await api.send('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', database: 'ok' } });
  const json = await api.send('/openapi.json');
  const headers = ['content-type', 'content-encoding'].map((name) => json.headers.get(name));
  expect([json.body, ...headers]).toEqual([document, 'application/json; charset=utf-8', 'gzip']);
});

test('the service is not ready while it stops, or while its database is unavailable', async () => {
  let ready = true;
  const { base, store } = await startService({ isReady: () => ready });
  const readyz = () => createApiClient(base).send('/readyz', { headers: { 'x-request-id': 'probe' } });
  const first = await readyz();
  expect([first.status, first.headers.get('x-request-id')]).toEqual([200, 'probe']);
  ready = false;
  expect(await readyz()).toMatchObject({ status: 503, body: { status: 'not ready', database: 'ok' } });
  ready = true;
  await store.close();
  expect(await readyz()).toMatchObject({ status: 503, body: { status: 'not ready', database: 'away' } });
});

test('after SIGTERM, the service completes requests in flight, accepts no new connections, and exits', async () => {
  const { child, base, heard, ended, database } = await startedService();
  await expect.poll(() => heard.out).toContain('curl ');
  const token = /ply_live_\w+/.exec(heard.out)?.[0];
  const body = '{"first_name":"Last"}';
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  let response = '';
  socket.on('data', (data) => {
    response += data;
  });
  // Only the headers of the request have arrived when SIGTERM is sent.
  socket.write(
    `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await expect.poll(() => response).toContain('100 Continue');
  child.kill('SIGTERM');
  await expect.poll(() => heard.err).toContain('stopping');
  const isOpen = () =>
    fetch(`${base}/healthz`).then(
      () => true,
      () => false,
    );
  // It stays open while requests arrive, so they have to be rare.
  await expect.poll(isOpen, { interval: 300 }).toBe(false);
  socket.write(body);
  expect((await ended).code).toBe(0);
  expect(response).toContain('201 Created');
  expect(heard.err).toContain('"stopped"');
  // The write-ahead log was merged into the database file.
  await expect(readFile(`${database.file}-wal`)).rejects.toThrow('ENOENT');
});

test('the service stops when npm start gets SIGTERM', async () => {
  const file = join(await temporaryFolder(), 'parley.db');
  const npm = spawn('npm', ['start', '--', '--empty'], {
    env: { ...process.env, NODE_ENV: '', PORT: '0', DATABASE_URL: `file:${encodeURI(file)}` },
  });
  let err = '';
  npm.stderr.on('data', (data) => {
    err += data;
  });
  await expect.poll(() => err).toContain('"started"');
  npm.kill('SIGTERM');
  await expect.poll(() => err).toContain('"stopped"');
});

test('startup fails and reports the name and the valid values of an invalid setting, without a password', async () => {
  const failed = await endedService({ DATABASE_URL: 'postgres://u:hunter2@db/x?sslmode=prefer' });
  expect(failed).toFail(2, '✘ Parley cannot start. DATABASE_URL is "');
  expect(failed.err).toMatch(/"; it must be .+/);
  expect(failed.err).not.toContain('hunter2');
});

test('reports a port that is in use, and the remedy', async () => {
  const { base } = await startedService({}, ['--empty']);
  const { ended, settings } = await spawnService({ PORT: new URL(base).port });
  expect(await ended).toFail(1, 'PORT=');
  // The failed start must not have created a demo company, because its token was never shown.
  const again = await startedService(settings);
  await expect.poll(() => again.heard.out).toContain('ply_live_');
});

test('in production, creates a key for an embedded database, but not for PostgreSQL', async () => {
  const { ended, started, keyFile } = await spawnService({ NODE_ENV: 'production' });
  if (onPostgres)
    return expect(await ended).toFail(
      1,
      'All processes on PostgreSQL need the same one: set PARLEY_SECRET_KEY',
    );
  await started();
  expect((await readFile(keyFile, 'utf8')).trim()).toHaveLength(44);
});

test('creates the key file next to an embedded database if no path is set', async () => {
  const file = join(await temporaryFolder(), 'parley.db');
  await startedService({ DATABASE_URL: `file:${encodeURI(file)}`, PARLEY_SECRET_KEY: '' }, ['--empty']);
  expect((await readFile(`${file}.key`, 'utf8')).trim()).toHaveLength(44);
});

test.each([
  [['--empt'], '--empt'],
  [['--validator', 'none'], 'none'],
  [['--port', '9000'], 'PORT=… npm start'],
  [['--rate-per-minute=9'], 'PARLEY_RATE_PER_MINUTE=… npm start'],
  [['9000'], 'npm start -- --help lists them'],
])('%j is a usage error, which names the setting if there is one', async (given, hint) => {
  expect(await endedService({}, given)).toFail(2, hint);
});

test.each([
  ['DATABASE_URL', '/parley.db', 'exists already. Remove it, or choose another path.'],
  ['PARLEY_SECRET_KEY', '/parley.key', 'has a part that is a file, not a folder. Correct the path.'],
])('reports a path in %s that cannot be used', async (name, path, remedy) => {
  if (name === 'DATABASE_URL' && onPostgres) return;
  const file = join(await temporaryFolder(), 'a-file');
  await writeFile(file, '');
  const failed = await endedService({ [name]: `file:${encodeURI(file)}${path}` });
  expect(failed.err).toMatch(/^✘ Parley cannot start\. .*\n$/);
  for (const part of [name, file, remedy]) expect(failed).toFail(1, part);
});

/** Code that each service runs first. It reports when the server listens, and when a module of a package is loaded. */
const reportOrder = `
  import { subscribe } from 'node:diagnostics_channel';
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  subscribe('tracing:net.server.listen:asyncEnd', () => writeSync(2, 'LISTENS '));
  registerHooks({
    load(url, context, next) {
      if (url.includes('/express-openapi-validator/')) writeSync(2, 'LOADS ');
      return next(url, context);
    },
  });`;

test.each([
  ['npm start', {}, ['--empty'], true],
  ['--validator stock', {}, ['--empty', '--validator', 'stock'], true],
  ['--validator ours', {}, ['--empty', '--validator', 'ours'], false],
  [
    'production',
    { NODE_ENV: 'production', PARLEY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
    [],
    false,
  ],
] as const)(
  'with %s, loads express-openapi-validator only after the server listens, or not at all',
  async (_name, env, given, loads) => {
    const { heard, stop, api } = await startedService(
      { ...env, NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(reportOrder)}"` },
      given,
    );
    expect((await api.listContacts()).status).toBe(401);
    if (loads) await expect.poll(() => heard.err).toContain('LOADS');
    // With --empty and in production, there is no demo company.
    expect(heard.out).not.toContain('ply_live_');
    expect(await stop()).toBe(0);
    const order = heard.err.match(/LISTENS|LOADS/g);
    expect([...new Set(order)]).toEqual(loads ? ['LISTENS', 'LOADS'] : ['LISTENS']);
    expect(order?.lastIndexOf('LISTENS')).toBe(0);
  },
);

test('--help lists environment variables', async () => {
  const { code, out } = await endedService({}, ['--help']);
  expect(code).toBe(0);
  for (const { name } of Object.values(variables)) expect(out).toContain(`  ${name} `);
});
