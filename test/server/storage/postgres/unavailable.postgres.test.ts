import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPostgresServer, type PostgresServer } from '../../../../scripts/lib/postgres-server.ts';
import { openPostgres } from '../../../../server/storage/postgres/postgres-store.ts';
import { StoreUnavailable } from '../../../../server/storage/store.ts';
import { createApiClient } from '../../../support/api-client.ts';
import { createTestDatabase, postgresAt } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { startTcpServer } from '../../../support/start-tcp-server.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

async function ownCluster(): Promise<PostgresServer> {
  const postgres = await createPostgresServer();
  onTestFinished(() => postgres.remove());
  await postgres.start();
  return postgres;
}

const onCluster = (url: string) => startService({ database: postgresAt(url), watch: {} });

test('returns 503 while the database is unavailable, and recovers by itself', async () => {
  const postgres = await ownCluster();
  const { api, base, company, errors } = await onCluster(postgres.url);
  const id = await company.contact({ first_name: 'Ada' });
  const ready = () => createApiClient(base).send('/readyz');
  expect((await ready()).body).toEqual({ status: 'ready', database: 'ok' });
  for (const how of ['fast', 'immediate'] as const) {
    await postgres.stop(how);
    for (const refused of [
      await api.getContact(id),
      await api.createContact({}),
      await api.listConversations(),
    ]) {
      expect(refused).toBeApiError(503, 50303, '');
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    // The service looks after the database every 500 ms.
    await vi.waitFor(
      async () => {
        const away = await ready();
        expect([away.status, away.body]).toEqual([503, { status: 'not ready', database: 'away' }]);
      },
      { timeout: 60_000 },
    );
    expect((await createApiClient(base).send('/healthz')).status).toBe(200);
    await postgres.start();
    await vi.waitFor(async () => expect((await ready()).status).toBe(200), { timeout: 60_000 });
    expect((await api.getContact(id)).body.first_name).toBe('Ada');
    expect((await api.createContact({})).status).toBe(201);
  }
  // The reported errors contain the reason.
  expect(JSON.stringify(errors.map(({ error }) => String(error)))).toContain('is unavailable');
});

test('queries time out while the database does not respond, and succeed once it responds again', async () => {
  const url = new URL((await createTestDatabase()).url);
  const databasePort = Number(url.port);
  // While `silent` is true, the proxy between the store and the database drops all data.
  let silent = false;
  const port = await startTcpServer((near) => {
    const far = connect(databasePort, '127.0.0.1').on('error', () => {});
    near.on('data', (data) => silent || far.write(data));
    far.on('data', (data) => silent || near.write(data));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  url.port = String(port);
  const store = await openPostgres(url.href, {
    statementMs: 200,
    lockWaitMs: 100,
    connectMs: 2_000,
    silenceMs: 300,
  });
  onTestFinished(() => store.close());
  const one = () => store.read((db) => sql`select 1`.execute(db));
  await one();
  silent = true;
  const asked = performance.now();
  await expect(one()).rejects.toThrow('is unavailable');
  await expect(one()).rejects.toThrow('is unavailable');
  // In a transaction, the store sends no COMMIT after a statement that got no response.
  await expect(store.write((db) => sql`select 1`.execute(db))).rejects.toThrow(StoreUnavailable);
  expect(performance.now() - asked).toBeLessThan(20_000);
  silent = false;
  await one();
});

test('encrypts connections with TLS, and verifies the server certificate and its host name', async () => {
  const folder = await temporaryFolder();
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  await promisify(execFile)('openssl', [
    ...made,
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  const postgres = await createPostgresServer();
  onTestFinished(() => postgres.remove());
  // PostgreSQL requires that only its user can read the key.
  const owner = await stat(postgres.data);
  for (const [from, name] of [
    [key, 'server.key'],
    [certificate, 'server.crt'],
  ] as const) {
    const to = join(postgres.data, name);
    await copyFile(from, to);
    await chown(to, owner.uid, owner.gid);
    await chmod(to, 0o600);
  }
  await postgres.start(['ssl=on']);
  const at = (query: string) => `postgres://parley@localhost:${postgres.port}/postgres?${query}`;
  const store = await openPostgres(at(`sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`));
  const { rows } = await store.read((db) =>
    sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db),
  );
  await store.close();
  expect(rows).toEqual([{ ssl: true }]);
  await expect(openPostgres(at('sslmode=verify-full'))).rejects.toThrow('sslrootcert=FILE');
  const other = at(`sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`).replace(
    'localhost',
    '127.0.0.1',
  );
  await expect(openPostgres(other)).rejects.toThrow('certificate is for another host');
  await (await openPostgres(at('sslmode=no-verify'))).close();
});
