import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'pg';
import { openPostgres } from '../../../server/storage/postgres/postgres-store.ts';
import { createPostgresServer, type PostgresServer } from '../../lib/postgres-server.ts';
import { createLabEnvironment } from '../environment.ts';
import { startActors } from '../real-world/start-actors.ts';
import { startProxy, type TcpProxy } from '../tcp-proxy.ts';

export interface FleetOptions {
  /** Whether the database has a synchronous standby. */
  standby?: boolean;
  /** The response time of the webhook receiver, in milliseconds. */
  answerMs?: number;
}

interface Running {
  child: ChildProcess;
  base: string;
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** Starts two API processes and two workers on one database behind a proxy, with the clients and the operator of the simulator. */
export async function startFleet({ standby: wantsStandby = false, answerMs }: FleetOptions = {}) {
  const ends: (() => unknown)[] = [];
  const close = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const postgres = await cleanly(createPostgresServer({ durable: true }));
    await postgres.start();
    const standby = wantsStandby ? await cleanly(standbyOf(postgres)) : undefined;
    const proxy: TcpProxy = await startProxy(postgres.port);
    ends.push(proxy.close);
    const url = `postgres://parley@127.0.0.1:${proxy.port}/postgres`;
    const environment = createLabEnvironment(url);
    ends.push(environment.close);

    const startApi = async (): Promise<Running> => {
      const { child, url: base } = await environment.start(['server/main.ts', '--empty'], {
        core: 'any',
        settings: { PARLEY_EMBEDDED_WORKER: 'no', LOG_LEVEL: 'silent' },
      });
      return { child, base };
    };
    const startWorker = async (): Promise<ChildProcess> =>
      (
        await environment.start(['server/worker.ts'], {
          core: 'any',
          says: /sends webhooks/,
          settings: { LOG_LEVEL: 'silent' },
        })
      ).child;

    const running = await Promise.all([startApi(), startApi()]);
    const working = await Promise.all([startWorker(), startWorker()]);
    const store = await openPostgres(url);
    ends.push(store.close);
    const actors = await startActors({
      ...{ store, answerMs, clients: 8, secretKey: String(environment.env.PARLEY_SECRET_KEY) },
      bases: () => running.map(({ base }) => base),
      query: (sql) => queryOnce(url, sql),
      seed: 1,
    });
    // Also if an experiment fails: otherwise, clients would send requests without end.
    ends.push(actors.close);
    return {
      cluster: postgres,
      ...{ standby, proxy, running, working, actors, startApi, startWorker },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  async function cleanly(making: Promise<PostgresServer>): Promise<PostgresServer> {
    const made = await making;
    ends.push(made.remove);
    return made;
  }
}

async function standbyOf(postgres: PostgresServer): Promise<PostgresServer> {
  const standby = await createPostgresServer({ durable: true, standbyOf: postgres });
  await standby.start();
  await runStatements(
    postgres.url,
    "alter system set synchronous_standby_names = 'standby'",
    'select pg_reload_conf()',
  );
  return standby;
}

/** Runs statements on the database. */
export async function runStatements(url: string, ...statements: string[]): Promise<void> {
  for (const statement of statements) await queryOnce(url, statement);
}

/** Runs a query with a connection of its own. */
async function queryOnce(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Kills a process with SIGKILL and waits until it has exited. */
export async function killProcess(child: ChildProcess): Promise<void> {
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
}
