import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';
import { createApiClient } from '../support/api-client.ts';
import { createTestDatabase } from '../support/databases.ts';
import { emptyContact } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Instance, startBalancer, startInstance } from './balanced-processes.ts';

const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> => (await run('git', args)).stdout.trim();

/** Returns the last commit of the previous version, or undefined if the checkout has no such history. */
async function previousVersion(): Promise<string | undefined> {
  try {
    const released = await git('log', '-1', '--format=%H', '-G^  version: ', '--', 'openapi/openapi.yaml');
    return await git('rev-parse', '--verify', '--quiet', `${released}^`);
  } catch {
    return undefined;
  }
}

const previous = await previousVersion();
if (!previous && process.env.TEST_ALL)
  throw new Error('The upgrade test needs the previous version: run git fetch --unshallow.');

/** Writes the previous version to a folder. It uses the packages that are installed for this version. */
async function checkOut(commit: string): Promise<string> {
  const folder = join(await temporaryFolder(), 'previous version');
  await mkdir(folder);
  const archive = join(folder, 'archive.tar');
  await git('archive', '--output', archive, commit, 'server', 'generated', 'openapi', 'package.json');
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

test.skipIf(!previous)('an upgrade from the previous version loses no request and no event', async () => {
  const folder = await checkOut(previous ?? '');
  const database = await createTestDatabase({ empty: true });
  const settings = {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'info',
    PARLEY_SECRET_KEY: randomBytes(32).toString('base64'),
    PARLEY_RATE_PER_MINUTE: '0',
    PARLEY_EMBEDDED_WORKER: 'no',
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: 'http:127.0.0.0/8',
    PARLEY_DRAIN_SECONDS: '1',
  };
  const startVersion = async (cwd?: string): Promise<[Instance, Instance, Instance]> => {
    const options = { settings, cwd };
    const first = await startInstance('main', options);
    return [
      first,
      ...(await Promise.all([startInstance('main', options), startInstance('worker', options)])),
    ];
  };
  const parley = async (...args: string[]) =>
    JSON.parse(
      (
        await run(process.execPath, ['server/operator/main.ts', ...args, '--json'], {
          cwd: folder,
          env: { ...process.env, ...settings },
        })
      ).stdout,
    );
  const [first, second, worker] = await startVersion(folder);
  const apis = [first, second];
  const base = await startBalancer(apis, 250);
  await parley('company', 'create', '--name', 'A');
  const { token } = await parley('token', 'create', '--company', '1', '--user', '17');
  const receiver = await startReceiver();
  const api = createApiClient(base, token);
  await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url });

  const created = new Set<number>();
  const outcomes = new Map<string, number>();
  let isOver = false;
  const callers = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      // Leaves the processes time to start.
      await wait(20);
      const ask = async (name: string, reply: ReturnType<typeof api.getContact>) => {
        const { status, body } = await reply.catch(({ cause }) => ({ status: String(cause), body: {} }));
        outcomes.set(`${name} ${status}`, (outcomes.get(`${name} ${status}`) ?? 0) + 1);
        return body;
      };
      const { id } = await ask('create', api.createContact({ first_name: 'Ada' }));
      if (id !== undefined) created.add(id);
      const bea = { ...emptyContact, first_name: 'Bea' };
      await ask('update', api.updateContact(id, bea));
      await ask('get', api.getContact(id));
      await ask('list', api.listContacts());
      await ask('search', api.searchContacts('bea'));
    }
  });
  const untilMoreAreCreated = async () => {
    const before = created.size;
    await expect.poll(() => created.size).toBeGreaterThan(before + 4);
  };

  await untilMoreAreCreated();
  const [newFirst, newSecond] = await startVersion();
  apis.push(newFirst, newSecond);
  await untilMoreAreCreated();
  for (const instance of [first, second, worker]) {
    await instance.stop();
    await untilMoreAreCreated();
  }
  apis.splice(0, 2);
  await wait(300);
  isOver = true;
  await Promise.all(callers);

  expect([...outcomes.keys()].sort()).toEqual([
    'create 201',
    'get 200',
    'list 200',
    'search 200',
    'update 200',
  ]);
  const announced = () => new Set(receiver.calls.map(({ body }) => JSON.parse(body).data.id));
  await expect.poll(() => announced().size).toBe(created.size);
  expect(announced()).toEqual(created);
  for (const { log } of [first, second, worker]) expect(log()).not.toMatch(/"level":"?(warn|error|40|50)/);
});
