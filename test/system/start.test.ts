import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { exitWithUsageCode } from '../../server/lib/cli.ts';
import { variableNames } from '../../server/runtime/config/config-help.ts';
import { createApiClient } from '../support/api-client.ts';
import { openAt, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { endedService, spawnService, startedService } from './service-process.ts';

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

test('serves liveness, readiness and the contract without a token, and reports a port that is in use', async () => {
  const { base, api } = await startedService();
  expect(await api.send('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await api.send('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', database: 'ok' } });
  const json = await api.send('/openapi.json');
  const headers = ['content-type', 'content-encoding'].map((name) => json.headers.get(name));
  expect([json.body, ...headers]).toEqual([document, 'application/json; charset=utf-8', 'gzip']);
  const { ended, database } = await spawnService({ PORT: new URL(base).port });
  expect(await ended).toFail(1, 'PORT=');
  // The failed start must not have created a demo company, because its token was never shown.
  expect(await database.look('select * from companies')).toEqual([]);
});

test.each([
  ['--empt', '(Did you mean --empty?)'],
  ['--port=9000', 'PORT=… npm start'],
  ['--rate-per-minute=9', 'PARLEY_RATE_PER_MINUTE=… npm start'],
  ['9000', 'npm start -- --help lists them'],
])('the usage error of %s names the setting if there is one', (given, hint) => {
  let told = '';
  const writeErr = (text: string) => {
    told += text;
  };
  const program = exitWithUsageCode(new Command().option('--empty'), 'npm start', variableNames())
    .exitOverride()
    .configureOutput({ writeErr });
  expect(() => program.parse([given], { from: 'user' })).toThrow();
  expect(told).toContain(hint);
});

test('exits with 2 after a usage error, and names the settings', async () => {
  expect(await endedService({}, ['--validator', 'none'])).toFail(2, 'npm start -- --help lists them');
});

test('reports a path in a setting that cannot be used, and the remedy', async () => {
  const file = join(await temporaryFolder(), 'a-file');
  await writeFile(file, '');
  const failed = await endedService({ PARLEY_SECRET_KEY: `file:${encodeURI(file)}/parley.key` });
  expect(failed.err).toMatch(/^✘ Parley cannot start\. .*\n$/);
  for (const part of [
    'PARLEY_SECRET_KEY',
    file,
    'has a part that is a file, not a folder. Correct the path.',
  ])
    expect(failed).toFail(1, part);
  const open = openAt(`file:${encodeURI(file)}/parley.db`);
  await expect(open).rejects.toThrow(/^DATABASE_URL .*exists already\. Remove it, or choose another path\.$/);
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
  ['npm start', ['--empty'], true],
  ['--validator stock', ['--empty', '--validator', 'stock'], true],
  ['--validator ours', ['--empty', '--validator', 'ours'], false],
  ['production', [], false],
] as const)(
  'with %s, loads express-openapi-validator only after the server listens, or not at all',
  async (name, given, loads) => {
    const file = join(await temporaryFolder(), 'parley.db');
    const { heard, stop, api } = await startedService(
      {
        ...{ DATABASE_URL: `file:${encodeURI(file)}`, PARLEY_SECRET_KEY: '' },
        ...(name === 'production' && { NODE_ENV: 'production' }),
        NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(reportOrder)}"`,
      },
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
    // Without a path, the key file is next to an embedded database, also in production.
    expect((await readFile(`${file}.key`, 'utf8')).trim()).toHaveLength(44);
  },
);
