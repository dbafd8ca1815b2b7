import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createPostgresServer, type PostgresServer } from '../../lib/postgres-server.ts';
import { createLabEnvironment } from '../environment.ts';
import { startProxy, type TcpProxy } from '../tcp-proxy.ts';
import {
  type AcknowledgedWrites,
  createAcknowledgedWrites,
  findLostWrites,
  type StoredContact,
} from './acknowledged-writes.ts';
import { startClients } from './clients.ts';
import { startRecordingReceiver } from './webhook-receiver.ts';

export interface FleetOptions {
  apis?: number;
  workers?: number;
  callers?: number;
  /** PostgreSQL settings as `name=value`. */
  database?: string[];
  /** Whether the database has a synchronous standby. */
  standby?: boolean;
  settings?: Record<string, string>;
  /** The response time of the webhook receiver, in milliseconds. */
  answerMs?: number;
}

interface Running {
  child: ChildProcess;
  base: string;
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** Starts API processes and workers on one database behind a proxy, with clients and a webhook receiver. */
export async function startFleet({
  apis = 2,
  workers = 2,
  callers = 8,
  database = [],
  standby: wantsStandby = false,
  settings = {},
  answerMs = 2,
}: FleetOptions = {}) {
  const ends: (() => unknown)[] = [];
  const close = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const postgres = await cleanly(createPostgresServer({ durable: true, settings: database }));
    await postgres.start();
    const standby = wantsStandby ? await cleanly(standbyOf(postgres)) : undefined;
    const proxy: TcpProxy = await startProxy(postgres.port);
    ends.push(proxy.close);
    const environment = createLabEnvironment(`postgres://parley@127.0.0.1:${proxy.port}/postgres`);
    ends.push(environment.close);
    const receiver = await startRecordingReceiver(answerMs);
    ends.push(receiver.close);

    const startApi = async (): Promise<Running> => {
      const { child, output } = await environment.start(['server/main.ts', '--empty'], {
        core: 'any',
        says: /http:\/\/\S+/,
        settings: { PARLEY_EMBEDDED_WORKER: 'no', LOG_LEVEL: 'silent', ...settings },
      });
      return { child, base: /http:\/\/\S+/.exec(output)?.[0] ?? '' };
    };
    const startWorker = async (): Promise<ChildProcess> =>
      (
        await environment.start(['server/worker.ts'], {
          core: 'any',
          says: /sends webhooks/,
          settings: { LOG_LEVEL: 'silent', ...settings },
        })
      ).child;

    const running = await Promise.all(Array.from({ length: apis }, startApi));
    const working = await Promise.all(Array.from({ length: workers }, startWorker));
    await environment.parley('company', 'create', '--name', 'Steady');
    const { token } = await environment.parley('token', 'create', '--company', '1', '--user', '17');
    for (const action_id of [1, 2])
      await createWebhookFor(running[0]?.base ?? '', String(token), receiver.url, action_id);

    const writes: AcknowledgedWrites = createAcknowledgedWrites();
    const endCallers = startClients(
      { bases: () => running.map(({ base }) => base), token: String(token), writes },
      callers,
    );
    ends.push(endCallers);
    return {
      cluster: postgres,
      standby,
      proxy,
      environment,
      running,
      working,
      receiver,
      writes: writes,
      token: String(token),
      startApi,
      startWorker,
      /** Stops the clients, waits for all deliveries, and compares acknowledged writes with stored data and events. */
      async stopAndCompare(url = postgres.url) {
        await endCallers();
        const startedAt = performance.now();
        const stored = await settled(url);
        const seconds = (performance.now() - startedAt) / 1_000;
        return { ...findLostWrites(writes, stored, receiver.arrived), drained: seconds };
      },
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
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Creates a webhook for contact events. */
export async function createWebhookFor(
  base: string,
  token: string,
  url: string,
  action_id: number,
): Promise<void> {
  const response = await fetch(`${base}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ verb_id: 3, entity_id: 2, action_id, url }),
  });
  if (response.status !== 201)
    throw new Error(`The webhook was not created: ${response.status} ${await response.text()}`);
}

const maxMs = 120_000;

/** Returns the stored contacts once all deliveries have been sent. */
async function settled(url: string): Promise<StoredContact[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const end = performance.now() + maxMs;
    for (;;) {
      const { rows } = await client.query(
        "select count(*)::int as count from deliveries where state <> 'delivered'",
      );
      if (rows[0].count === 0) break;
      if (performance.now() > end) throw new Error(`${rows[0].count} deliveries were not sent in time.`);
      await wait(50);
    }
    const { rows } = await client.query('select id::int, last_name as "lastName" from contacts');
    return rows;
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
