import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../server/own-contract/scopes.ts';
import { issueToken } from '../../server/security/auth/issue-token.ts';
import { engineOf } from '../../server/storage/engine.ts';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';
import { createApiClient } from '../support/api-client.ts';
import { createCli } from '../support/cli.ts';
import { createTestDatabase, onPostgres, type TestDatabase } from '../support/databases.ts';
import { isLong } from '../support/sampling.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  documentedCommands,
  isRun,
  keepsRunning,
  openTerminal,
  operatorArguments,
  unusedReasons,
} from './documented-commands.ts';

const key = randomBytes(32);
const localWebhooks = { PARLEY_WEBHOOK_ALLOWED_NETWORKS: 'http:127.0.0.0/8' };

/** Opens a terminal of an operator: in an empty folder, with an empty database. */
async function emptyTerminal() {
  const folder = await temporaryFolder();
  const database = await createTestDatabase({ empty: true });
  const settings = {
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: key.toString('base64'),
    ...localWebhooks,
  };
  return { folder, database, terminal: await openTerminal(folder, settings) };
}

const commands = documentedCommands();
const of = (...names: string[]) =>
  commands.filter((each) => names.includes(each.document) && isRun(each)).map(({ line }) => line);

/** Replaces what a document cannot know: free ports. */
const here = (line: string): string => line.replace('PARLEY_METRICS_PORT=9464', 'PARLEY_METRICS_PORT=0');

test('names only reasons for skipped commands that apply', () => {
  expect(unusedReasons(commands)).toEqual([]);
});

test.skipIf(onPostgres && !isLong)(
  'the README starts the demo company that the guide on messages names',
  async () => {
    const { terminal } = await emptyTerminal();
    const service = await terminal.start(of('README')[0] ?? '');
    await expect.poll(service.out).toContain('ply_live_');
    for (const line of of('messages')) expect(await terminal.run(line), line).toMatchObject({ code: 0 });
    await service.stop();
  },
);

/** Gives company 1 the entities that guides name: tokens 2 and 3, contact 4, webhooks 1 and 31, delivery msg_31_118. */
async function createNamedEntities(database: TestDatabase, url: string): Promise<void> {
  const { base, store } = await startService({
    database,
    secretKey: key,
    addressPolicy: { allowedNetworks: ['http:127.0.0.0/8'] },
  });
  const holder = { companyId: 1, userId: 17, name: '', scopes, days: 90 };
  const { token } = await store.write((db) => issueToken(db, holder, Date.now()));
  const api = createApiClient(base, token);
  await store.write((db) => engineOf(db).raiseIdSequence(db, 'contacts', 3));
  expect(await api.createContact({ first_name: 'Ada' })).toMatchObject({ body: { id: 4 } });
  const webhook = (action_id: number) => api.createWebhook({ verb_id: 3, entity_id: 2, action_id, url });
  expect(await webhook(2)).toMatchObject({ status: 201, body: 1 });
  await store.write((db) => engineOf(db).raiseIdSequence(db, 'webhooks', 30));
  expect(await webhook(1)).toMatchObject({ status: 201, body: 31 });
  await database.executeSql('update webhooks set last_sequence = 117 where id = 31');
  // Erasing contact 4 erases its events, so the delivery is about another contact.
  expect(await api.createContact({ first_name: 'Grace' })).toMatchObject({ body: { id: 5 } });
  await store.close();
}

/** Undoes what earlier commands did: token 3 is valid, the webhooks are enabled, and the delivery is exhausted. */
const resetNamedEntities = ({ executeSql }: TestDatabase): Promise<void> =>
  executeSql(`update tokens set revoked_at = null where id = 3;
    update webhooks set disabled_at = null, disabled_why = null;
    update deliveries set state = 'exhausted', due_at = null where webhook_id = 31 and sequence = 118`);

/** Commands of the embedded database. */
const isEmbeddedOnly = (line: string): boolean => /-- (backup|restore --from|move)\b/.test(line);

test('the commands of the guides for operators work on an empty database', async () => {
  const { terminal, database, folder } = await emptyTerminal();
  const receiver = await startReceiver();
  const parley = createCli(database.url, { PARLEY_SECRET_KEY: key.toString('base64'), ...localWebhooks });
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  const inProcess = async (given: string[]) => {
    process.chdir(folder);
    const [first = '', ...others] = given;
    return parley(first, ...others).finally(() => process.chdir(before));
  };
  const run = async (line: string) => {
    const written = here(line);
    if (keepsRunning(line)) return (await terminal.start(written)).stop();
    const given = operatorArguments(written);
    const { code, out, err } = await (given ? inProcess(given) : terminal.run(written));
    if (onPostgres && isEmbeddedOnly(line))
      expect([code, err], line).toEqual([2, expect.stringContaining('For PostgreSQL use')]);
    else expect([code, err], `${line}\n${out}`).toEqual([0, expect.not.stringContaining('✘')]);
  };
  for (const line of of('install')) await run(line);
  await createNamedEntities(database, receiver.url);
  // Tests of storage, features and operator commands run the statements of the others on PostgreSQL.
  const isLeftOut = (line: string) => onPostgres && !isLong && !isEmbeddedOnly(line);
  const elsewhere = ['README', 'install', 'messages'];
  let last = '';
  for (const { document, block, line } of commands.filter(isRun)) {
    // The commands that name another database have a test of their own.
    if (elsewhere.includes(document) || line.includes('postgres://') || isLeftOut(line)) continue;
    if (last !== `${document} ${block}`) await resetNamedEntities(database);
    last = `${document} ${block}`;
    await run(line);
  }
});

test.runIf(onPostgres)(
  'the commands that move the embedded database to PostgreSQL work as written',
  async () => {
    const folder = await temporaryFolder();
    const terminal = await openTerminal(folder, {});
    const { url } = await createTestDatabase({ empty: true });
    const first = await terminal.start('npm start');
    await expect.poll(first.out).toContain('ply_live_');
    const token = /ply_live_\w+/.exec(first.out())?.[0] ?? '';
    await first.stop();
    const lines = of('databases');
    const moving = lines.slice(lines.findIndex((line) => line.includes('before-the-move')));
    expect(moving).toHaveLength(3);
    for (const line of moving) {
      const written = line.replace('postgres://parley:secret@db.example.com/parley', url);
      if (!keepsRunning(line)) expect(await terminal.run(written), line).toMatchObject({ code: 0 });
      else {
        const service = await terminal.start(written);
        await expect.poll(service.out).toContain('--help');
        const base = /http:\/\/[\d.:]+/.exec(service.out())?.[0] ?? '';
        expect((await createApiClient(base, token).send('/api/v1/messages/51003')).status).toBe(200);
        await service.stop();
      }
    }
  },
);
