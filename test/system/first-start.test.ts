import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { conversationServices, fieldTypes, messageTypes } from '../../server/own-contract/constants.ts';
import { demoCaller } from '../../server/runtime/demo/seed-company.ts';
import { createApiClient } from '../support/api-client.ts';
import { createTestDatabase, onPostgres } from '../support/databases.ts';
import { openAt, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { endedService, startedService } from './service-process.ts';

test('the first start creates a demo company and prints a curl command that works', async () => {
  const { heard, base, stop, settings } = await startedService();
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
  expect(await stop()).toBe(0);
  const again = await startedService(settings);
  expect(again.heard.out).not.toContain('ply_live_');
});

test('creates no demo company if the database has a company', async () => {
  const { database } = await startService();
  const { stop, heard } = await startedService({ DATABASE_URL: database.url });
  expect(await stop()).toBe(0);
  expect(heard.out).not.toContain('ply_live_');
  expect(heard.out).toContain('npm run -s parley -- --help');
});

test('services that start together on a new database create one demo company', async () => {
  const { url } = await createTestDatabase({ empty: true });
  const env = {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: `file:${encodeURI(join(await temporaryFolder(), 'a.key'))}`,
  };
  const services = await Promise.all([startedService(env), startedService(env), startedService(env)]);
  await expect.poll(() => services.filter(({ heard }) => /curl|--help/.test(heard.out)).length).toBe(3);
  expect(services.filter(({ heard }) => heard.out.includes('ply_live_'))).toHaveLength(1);
});

/** Creates a database with the schema, but without data, and the settings of services on it. */
async function migratedDatabase() {
  const database = await createTestDatabase();
  await (await openAt(database.url)).close();
  const keyFile = join(await temporaryFolder(), 'a.key');
  return { database, env: { DATABASE_URL: database.url, PARLEY_SECRET_KEY: `file:${encodeURI(keyFile)}` } };
}

/** Expects that a start creates the demo company with the IDs of the contract's examples. */
async function expectDemoCompany(env: Record<string, string>): Promise<void> {
  const { heard, base } = await startedService(env);
  await expect.poll(() => heard.out).toContain('curl ');
  const api = createApiClient(base, /ply_live_\w+/.exec(heard.out)?.[0]);
  expect((await api.send('/api/v1/messages/51003')).body).toMatchObject({ id: 51_003, conversation_id: 880 });
}

// The webhook is the last of the contract's examples that a start creates.
test('after a start that fails while it creates the demo company, the next start creates it', async () => {
  const { database, env } = await migratedDatabase();
  await database.executeSql(
    onPostgres
      ? `create function fail() returns trigger language plpgsql as $$ begin raise 'injected'; end $$;
        create trigger fail before insert on webhooks for each row execute function fail()`
      : "create trigger fail before insert on webhooks begin select raise(abort, 'injected'); end",
  );
  for (let times = 0; times < 2; times += 1)
    expect(await endedService(env)).toFail(1, 'Parley cannot start. injected');
  await database.executeSql(`drop trigger fail ${onPostgres ? 'on webhooks' : ''}`);
  await expectDemoCompany(env);
});

test.runIf(onPostgres)(
  'after a start that fails while it creates the schema, the next start succeeds',
  async () => {
    const database = await createTestDatabase({ empty: true });
    const env = {
      DATABASE_URL: database.url,
      PARLEY_SECRET_KEY: `file:${encodeURI(join(await temporaryFolder(), 'a.key'))}`,
    };
    await database.executeSql(`create function fail() returns event_trigger language plpgsql as $$
      begin if to_regclass('usage_counts') is not null then raise 'injected'; end if; end $$;
    create event trigger fail on ddl_command_end execute function fail()`);
    expect(await endedService(env)).toFail(1, 'injected');
    await database.executeSql('drop event trigger fail');
    await expectDemoCompany(env);
  },
);

test('starts without a demo company if all companies were erased, because their IDs are not assigned again', async () => {
  const { database, company, store } = await startService();
  await company.field();
  await company.run('company erase', '--name', 'A company');
  await store.close();
  const { heard, stop } = await startedService({ DATABASE_URL: database.url });
  await expect.poll(() => heard.out).toContain('npm run -s parley -- --help');
  expect(heard.out).not.toContain('ply_live_');
  expect(await stop()).toBe(0);
});
