import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createCli } from '../../support/cli.ts';
import { createTestDatabase } from '../../support/databases.ts';
import { createCompany, openAt } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Instance, startInstance } from '../../system/balanced-processes.ts';
import { startReceiver } from './webhook-receiver.ts';

type Kind = 'api' | 'worker';

/** Manages an API process and a worker on one database: starts and stops them. */
export async function serviceAndWorker(settings: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const store = await openAt(database.url);
  onTestFinished(() => store.close());
  const env = {
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: `file:${encodeURI(join(await temporaryFolder(), 'a.key'))}`,
    PARLEY_RATE_PER_MINUTE: '0',
    PARLEY_EMBEDDED_WORKER: 'no',
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: 'http:127.0.0.0/8',
    ...settings,
  };
  const running: Partial<Record<Kind, Instance>> = {};
  return {
    store,
    /** The settings of the processes. */
    env,
    /** Starts a process. @returns its address, for `api` */
    async start(kind: Kind): Promise<string> {
      const instance = await startInstance(kind === 'api' ? 'main' : 'worker', { settings: env });
      running[kind] = instance;
      return instance.base;
    },
    /** Creates a company, and a webhook for new contacts through the API process. */
    async createCompany(receiver?: Awaited<ReturnType<typeof startReceiver>>) {
      const base = running.api?.base ?? '';
      const { api } = await createCompany({ store, base, parley: createCli(database.url) });
      const { calls, url } = receiver ?? (await startReceiver());
      await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url });
      return { api, calls };
    },
    /** Returns the logs of the processes so far. */
    log: () =>
      Object.values(running)
        .map((instance) => instance.log())
        .join(''),
    /** Sends SIGTERM to a process. @returns its exit code */
    async end(kind: Kind): Promise<number | null> {
      return running[kind]?.stop() ?? null;
    },
  };
}
