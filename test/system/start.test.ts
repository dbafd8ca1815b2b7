import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import document from '../../generated/openapi.json' with { type: 'json' };
import { conversationServices, fieldTypes, messageTypes } from '../../server/contract/constants.ts';
import { demoCaller } from '../../server/demo/seed-company.ts';
import { createTestDatabase, onPostgres } from '../support/databases.ts';
import { createApiClient } from '../support/http.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Starts the service in a process, as `npm start` does. */
async function start(env: Record<string, string> = {}, given: string[] = []) {
  const database = await createTestDatabase({ empty: true });
  const keyFile = join(await temporaryFolder(), 'a.key');
  const settings = { NODE_ENV: '', PORT: '0', DATABASE_URL: database.url, PARLEY_SECRET_KEY_FILE: keyFile };
  const child = spawn(process.execPath, ['server/main.ts', ...given], {
    env: { ...process.env, ...settings, ...env },
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  const heard = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    heard.out += data;
  });
  child.stderr.on('data', (data) => {
    heard.err += data;
  });
  return { child, heard, database, keyFile };
}

async function started(env?: Record<string, string>, given?: string[]) {
  const service = await start(env, given);
  await expect.poll(() => service.heard.err).toContain('"started"');
  const base = /http:\/\/[\d.]+:\d+/.exec(service.heard.out)?.[0] ?? '';
  return { ...service, base, api: createApiClient(base) };
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

test('the first start creates a demo company and prints a curl command that works', async () => {
  const { heard, base, child, database, keyFile } = await started();
  await expect.poll(() => heard.out).toContain('curl ');
  const line = heard.out.split('\n').find((each) => each.includes('curl ')) ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', line.replace('curl', 'curl -s')]);
  expect(JSON.parse(stdout)).toHaveLength(3);

  const api = createApiClient(base, /ply_live_\w+/.exec(heard.out)?.[0]);
  const fields = (await api.listCustomFields()).body;
  expect(new Set(fields.map(({ type }: { type: string }) => type))).toEqual(new Set(fieldTypes));
  expect(fields.filter(({ is_unique }: { is_unique: boolean }) => is_unique)).toHaveLength(1);
  expect((await api.listContacts()).body.length).toBeGreaterThan(10);
  const conversations: { service: string; messages: { type: string }[] }[] = (await api.listConversations())
    .body;
  expect(new Set(conversations.map(({ service }) => service))).toEqual(new Set(conversationServices));
  const said = conversations.flatMap(({ messages }) => messages.map(({ type }) => type));
  expect(new Set(said)).toEqual(new Set(messageTypes));

  // One line per request, with the fields that operators need.
  const lines = heard.err.split('\n').filter((each) => each.includes('"request completed"'));
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 30,
    time: expect.any(Number),
    msg: 'request completed',
    requestId: expect.any(String),
    operation: 'listContacts',
    method: 'GET',
    status: 200,
    durationMs: expect.any(Number),
    company: demoCaller.companyId,
    // The ID of the token.
    token: 1,
  });
  // The token is printed once, and never logged.
  expect(heard.err).not.toContain('ply_live_');
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
  const again = await started({ DATABASE_URL: database.url, PARLEY_SECRET_KEY_FILE: keyFile });
  expect(again.heard.out).not.toContain('ply_live_');
});

test.each([
  ['--empty', {}, ['--empty']],
  ['production', { NODE_ENV: 'production', PARLEY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }, []],
] as const)('creates no demo company with %s', async (_name, env, given) => {
  const { child, heard } = await started(env, [...given]);
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
  expect(heard.out).not.toContain('ply_live_');
});

test('serves liveness, readiness and the contract without a token', async () => {
  const { api } = await started({}, ['--empty']);
  expect(await api.send('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await api.send('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', database: 'ok' } });
  const json = await api.send('/openapi.json');
  expect([json.body, json.headers.get('content-type')]).toEqual([
    document,
    'application/json; charset=utf-8',
  ]);
  const yaml = await api.send('/openapi.yaml');
  expect([parse(yaml.text), yaml.headers.get('content-type')]).toEqual([
    document,
    'application/yaml; charset=utf-8',
  ]);
});

test('in production, the service becomes ready once all schemas are compiled', async () => {
  const { api } = await started({
    NODE_ENV: 'production',
    PARLEY_SECRET_KEY: randomBytes(32).toString('base64'),
  });
  expect((await api.send('/healthz')).status).toBe(200);
  await expect
    .poll(async () => (await api.send('/readyz')).body)
    .toEqual({ status: 'ready', database: 'ok' });
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
  // Readiness probes share a query result for one second, so the change appears with a delay.
  await expect
    .poll(async () => (await readyz()).body)
    .toEqual({
      status: 'not ready',
      database: 'away',
    });
  expect((await readyz()).status).toBe(503);
});

test('creates no demo company if the database has a company', async () => {
  const { database } = await startService();
  const { child, heard } = await started({ DATABASE_URL: database.url });
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
  expect(heard.out).not.toContain('ply_live_');
  expect(heard.out).toContain('npm run -s parley -- --help');
});

test('services that start together on a new database create one demo company', async () => {
  const { url } = await createTestDatabase({ empty: true });
  const env = { DATABASE_URL: url, PARLEY_SECRET_KEY_FILE: join(await temporaryFolder(), 'a.key') };
  const services = await Promise.all([started(env), started(env), started(env)]);
  await expect.poll(() => services.filter(({ heard }) => /curl|--help/.test(heard.out)).length).toBe(3);
  expect(services.filter(({ heard }) => heard.out.includes('ply_live_'))).toHaveLength(1);
});

test('after SIGTERM, the service completes requests in flight, accepts no new connections, and exits', async () => {
  const { child, base, heard, database } = await started();
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
  await expect(fetch(`${base}/healthz`)).rejects.toThrow();
  socket.write(body);
  expect(await ended(child)).toBe(0);
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

test.each([
  [{ PORT: '70000' }, 'PORT'],
  [{ PORT: 'http' }, 'PORT'],
  [{ DATABASE_URL: 'postgres://u:hunter2@db/x?sslmode=prefer' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'parley.db' }, 'DATABASE_URL'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV'],
  [{ HOST: 'a b' }, 'HOST'],
  [{ PARLEY_RATE_BURST: '0' }, 'PARLEY_RATE_BURST'],
  [{ PARLEY_ALLOWED_ORIGINS: 'app.example.com' }, 'PARLEY_ALLOWED_ORIGINS'],
])('startup fails and reports the name and the valid values of an invalid setting: %o', async (env, name) => {
  const { child, heard } = await start(env);
  expect(await ended(child)).toBe(2);
  expect(heard.err).toMatch(new RegExp(`✘ Parley cannot start\\. ${name} is ".*"; it must be .+`));
  expect(heard.err).not.toContain('hunter2');
});

test('startup fails and reports the path of a database that cannot be opened', async () => {
  const folder = await temporaryFolder();
  const { child, heard } = await start({ DATABASE_URL: `file:${encodeURI(folder)}` });
  expect(await ended(child)).toBe(1);
  expect(heard.err).toContain(`${folder}, which cannot be used`);
  expect(heard.err).toContain('DATABASE_URL');
});

test('reports a port that is in use, and the remedy', async () => {
  const { base } = await started({}, ['--empty']);
  const { child, heard, database, keyFile } = await start({ PORT: new URL(base).port });
  expect(await ended(child)).toBe(1);
  expect(heard.err).toContain('PORT=');
  // The failed start must not have created a demo company, because its token was never shown.
  const again = await started({ DATABASE_URL: database.url, PARLEY_SECRET_KEY_FILE: keyFile });
  await expect.poll(() => again.heard.out).toContain('ply_live_');
});

test('does not start if the database has secrets and the key file is missing', async () => {
  const { database, company } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1 });
  const { child, heard, keyFile } = await start({ DATABASE_URL: database.url });
  expect(await ended(child)).toBe(1);
  expect(heard.err).toContain('Parley cannot start');
  expect(heard.err).toContain(`${keyFile} is missing`);
});

test('in production, creates a key for an embedded database, but not for PostgreSQL', async () => {
  const { child, heard, keyFile } = await start({ NODE_ENV: 'production' });
  if (onPostgres) {
    expect(await ended(child)).toBe(1);
    expect(heard.err).toContain(`${keyFile} is missing`);
  } else {
    await expect.poll(() => heard.err).toContain('"started"');
    expect((await readFile(keyFile, 'utf8')).trim()).toHaveLength(44);
  }
});

test('creates the key file next to an embedded database if no path is set', async () => {
  const file = join(await temporaryFolder(), 'parley.db');
  await started({ DATABASE_URL: `file:${encodeURI(file)}`, PARLEY_SECRET_KEY_FILE: '' }, ['--empty']);
  expect((await readFile(`${file}.key`, 'utf8')).trim()).toHaveLength(44);
});

test('an unknown option is a usage error', async () => {
  const { child, heard } = await start({}, ['--empt']);
  expect(await ended(child)).toBe(2);
  expect(heard.err).toContain('--empt');
});

test('--help lists environment variables', async () => {
  const { child, heard } = await start({}, ['--help']);
  expect(await ended(child)).toBe(0);
  for (const name of [
    'HOST',
    'PORT',
    'DATABASE_URL',
    'NODE_ENV',
    'LOG_LEVEL',
    'PARLEY_RATE_PER_MINUTE',
    'PARLEY_RATE_BURST',
    'PARLEY_AUTH_FAILURES_PER_MINUTE',
    'PARLEY_ALLOWED_ORIGINS',
  ])
    expect(heard.out).toContain(`  ${name} `);
});
