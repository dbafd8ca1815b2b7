import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { conversationServices, fieldTypes, messageTypes } from '../../server/own-contract/constants.ts';
import { openDependencies } from '../../server/runtime/bootstrap.ts';
import { readConfig } from '../../server/runtime/config/config.ts';
import { demoCaller } from '../../server/runtime/demo/seed-company.ts';
import { createApiClient } from '../support/api-client.ts';
import { createCli } from '../support/cli.ts';
import { createTestDatabase, onPostgres } from '../support/databases.ts';
import { openAt } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { endedService, startedService } from './service-process.ts';

test('the first start creates a demo company and prints a curl command that works', async () => {
  const { heard, base, stop, settings, database } = await startedService();
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

  // A start creates no demo company if all companies were erased, because their IDs are not assigned again.
  const name = (await createCli(database.url).json('company list'))[0].name;
  await createCli(database.url).json('company erase --company', demoCaller.companyId, '--name', name);
  const again = await startedService(settings);
  await expect.poll(() => again.heard.out).toContain('npm run -s parley -- --help');
  expect(again.heard.out).not.toContain('ply_live_');
});

test('services that start together on a new database create one demo company', async () => {
  const { url } = await createTestDatabase({ empty: true });
  const env = {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: `file:${encodeURI(join(await temporaryFolder(), 'a.key'))}`,
  };
  const services = await Promise.all([startedService(env), startedService(env)]);
  await expect.poll(() => services.filter(({ heard }) => /curl|--help/.test(heard.out)).length).toBe(2);
  expect(services.filter(({ heard }) => heard.out.includes('ply_live_'))).toHaveLength(1);
});

test.runIf(onPostgres)('in production on PostgreSQL, a start does not create the key', async () => {
  const { url } = await createTestDatabase();
  const keyFile = `file:${encodeURI(join(await temporaryFolder(), 'a.key'))}`;
  const env = { DATABASE_URL: url, PARLEY_SECRET_KEY: keyFile, NODE_ENV: 'production' };
  await using parts = new AsyncDisposableStack();
  await expect(openDependencies(readConfig(env), parts)).rejects.toThrow(
    'All processes on PostgreSQL need the same one: set PARLEY_SECRET_KEY',
  );
});

// The webhook is the last of the contract's examples that a start creates.
test('after starts that fail while they create the schema or the demo company, the next start creates them', async () => {
  const database = await createTestDatabase({ empty: onPostgres });
  const keyFile = join(await temporaryFolder(), 'a.key');
  const env = { DATABASE_URL: database.url, PARLEY_SECRET_KEY: `file:${encodeURI(keyFile)}` };
  if (onPostgres) {
    await database.executeSql(`create function fail() returns event_trigger language plpgsql as $$
      begin if to_regclass('usage_counts') is not null then raise 'injected'; end if; end $$;
    create event trigger fail on ddl_command_end execute function fail()`);
    expect(await endedService(env)).toFail(1, 'injected');
    await database.executeSql('drop event trigger fail');
  }
  await (await openAt(database.url)).close();
  await database.executeSql(
    onPostgres
      ? `create function fail_insert() returns trigger language plpgsql as $$ begin raise 'injected'; end $$;
        create trigger fail before insert on webhooks for each row execute function fail_insert()`
      : "create trigger fail before insert on webhooks begin select raise(abort, 'injected'); end",
  );
  expect(await endedService(env)).toFail(1, 'Parley cannot start. injected');
  await database.executeSql(`drop trigger fail ${onPostgres ? 'on webhooks' : ''}`);
  const { heard, base } = await startedService(env);
  await expect.poll(() => heard.out).toContain('curl ');
  const api = createApiClient(base, /ply_live_\w+/.exec(heard.out)?.[0]);
  // The demo company has the IDs of the contract's examples.
  expect((await api.send('/api/v1/messages/51003')).body).toMatchObject({ id: 51_003, conversation_id: 880 });
});
