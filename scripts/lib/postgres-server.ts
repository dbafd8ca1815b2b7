import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdtemp, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the folder that contains these PostgreSQL programs: on the PATH, or where Debian installs them. */
export function findPostgresBinaries(names = ['initdb', 'postgres']): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
  ];
  return folders.find((folder) => names.every((name) => existsSync(join(folder, name))));
}

/** Returns the IDs of an unprivileged user if this process runs as root, because PostgreSQL refuses to run as root. */
async function whoRunsIt(): Promise<{ uid?: number; gid?: number }> {
  if (userInfo().uid !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((which) => run('id', [which, name]))).catch(
      () => undefined,
    );
    if (ids) {
      const [uid = 0, gid = 0] = ids.map(({ stdout }) => Number(stdout));
      return { uid, gid };
    }
  }
  throw new Error('PostgreSQL does not run as root, and the user postgres does not exist.');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.');
  return address.port;
}

const memory = '/dev/shm';
const enough = 2 ** 31;

/** Returns a folder in memory if more than 2 GiB are free, because every test copies a database. */
async function quickFolder(): Promise<string> {
  const { bavail = 0, bsize = 0 } = (await statfs(memory).catch(() => undefined)) ?? {};
  return bavail * bsize > enough ? memory : tmpdir();
}

export interface PostgresServer {
  /** URL of a database that always exists. */
  url: string;
  port: number;
  /** The data directory of the server. */
  data: string;
  /** Starts the server and waits until it accepts connections. @param more additional settings as `name=value` */
  start(more?: string[]): Promise<void>;
  /** `immediate` simulates a crash. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Suspends all processes of the server. @returns a function that resumes them */
  freeze(): Promise<() => void>;
  remove(): Promise<void>;
}

// Test databases need not survive a crash.
const careless = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'];

export interface ClusterOptions {
  /** Whether committed data survives a crash. */
  durable?: boolean;
  /** Settings as `name=value`. */
  settings?: string[];
  /** The primary server. The new server becomes its standby, with the application name `standby`. */
  standbyOf?: PostgresServer;
}

/**
 * Creates a PostgreSQL server for a free port. The caller must start and remove the server.
 * @throws Error if the PostgreSQL programs are not installed
 */
export async function createPostgresServer({
  durable = false,
  settings = [],
  standbyOf,
}: ClusterOptions = {}): Promise<PostgresServer> {
  const needed = [standbyOf ? 'pg_basebackup' : 'initdb', 'postgres'];
  const programs = findPostgresBinaries(needed);
  if (!programs) throw new Error(`The PostgreSQL programs are not installed (${needed.join(', ')}).`);
  const as = await whoRunsIt();
  const folder = await mkdtemp(join(durable ? tmpdir() : await quickFolder(), 'parley-postgres-'));
  if (as.uid !== undefined) await chown(folder, as.uid, as.gid ?? as.uid);
  const data = join(folder, 'data');
  if (standbyOf)
    await run(
      join(programs, 'pg_basebackup'),
      ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-d', `${standbyOf.url}?application_name=standby`],
      { ...as, cwd: folder },
    );
  else
    await run(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
      { ...as, cwd: folder },
    );
  const port = await freePort();
  const all = [
    ...(durable ? [] : careless),
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=400',
    'shared_buffers=128MB',
    ...settings,
  ];
  let server: ChildProcess | undefined;
  let output = '';
  const cluster: PostgresServer = {
    url: `postgres://parley@127.0.0.1:${port}/postgres`,
    port,
    data,
    async start(more = []) {
      server = spawn(
        join(programs, 'postgres'),
        ['-D', data, '-p', String(port), ...[...all, ...more].flatMap((setting) => ['-c', setting])],
        { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
      );
      output = '';
      server.stderr?.on('data', (text) => {
        output = (output + text).slice(-10_000);
      });
      while (!/ready to accept (read-only )?connections/.test(output)) {
        if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${output}`);
        await wait(20);
      }
    },
    async stop(how = 'immediate') {
      if (!server || server.exitCode !== null) return;
      const over = new Promise((resolve) => server?.once('exit', resolve));
      // https://www.postgresql.org/docs/current/server-shutdown.html
      server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await over;
    },
    async freeze() {
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(server?.pid)]);
      const all = [Number(server?.pid), ...stdout.trim().split(/\s+/).map(Number)];
      const send = (signal: NodeJS.Signals) => {
        for (const pid of all)
          try {
            process.kill(pid, signal);
          } catch {
            // The process has ended already.
          }
      };
      send('SIGSTOP');
      return () => send('SIGCONT');
    },
    async remove() {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}
