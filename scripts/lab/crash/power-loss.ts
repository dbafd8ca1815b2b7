import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assertIntact } from '../../../server/storage/sqlite/corruption.ts';
import { openSqlite } from '../../../server/storage/sqlite/sqlite-store.ts';
import type { Prng } from '../../lib/prng.ts';
import { createLabEnvironment } from '../environment.ts';
import { createDisk } from './disk-model.ts';
import { parseSystemCalls, type SystemCall, traceSystemCalls } from './system-calls.ts';

const callers = 4;
const requestsEach = 10;

/**
 * Simulates a power loss between system calls of a service that starts, creates its database, completes creates and exits.
 * Each time, the disk has all written data (as after `kill -9`), only synced data, or random sectors of the rest.
 * @param rounds maximum number of disks
 * @returns the number of acknowledged creates, and the failures
 */
export async function testPowerLoss(
  rounds: number,
  prng: Prng,
): Promise<{ acknowledged: number; wrong: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley power '));
  try {
    const { calls, names } = await record(folder);
    const disk = createDisk();
    const acknowledged: number[] = [];
    const wrong: string[] = [];
    const changing = calls.filter(({ did }) => did !== 'tell').length;
    // Tests the disk after every n-th system call, in three ways each. With enough rounds, n is 1.
    const every = Math.max(1, Math.ceil((3 * changing) / rounds));
    let seen = 0;
    const after = join(folder, 'after');
    const nameOf = (path: string) => after + basename(path).slice('parley.db'.length);
    for (const call of calls) {
      if (call.did === 'tell') {
        acknowledged.push(...acknowledgedIn(call.text));
        continue;
      }
      disk.take(call);
      seen += 1;
      if (seen % every !== 0) continue;
      for (const left of ['all', 'kept', prng] as const) {
        for (const part of ['', '-wal', '-shm', '-journal']) rmSync(after + part, { force: true });
        disk.writeTo(nameOf, left);
        const found = await findFailure(after, acknowledged, names);
        if (found !== undefined)
          wrong.push(
            `after call ${seen} (${call.did} ${basename(call.path)}), ${typeof left === 'string' ? left : 'torn'}: ${found}`,
          );
      }
    }
    return { acknowledged: acknowledged.length, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tokenShape = /ply_live_\w+(?=\s)/;

/**
 * Runs a service that creates contacts, and records the system calls on its database.
 * @returns the calls, and the names of the contacts by ID
 */
async function record(folder: string): Promise<{ calls: SystemCall[]; names: Map<number, string> }> {
  const environment = createLabEnvironment(undefined);
  const trace = join(folder, 'trace');
  const file = join(folder, 'parley.db');
  const names = new Map<number, string>();
  try {
    const env = {
      ...environment.env,
      NODE_ENV: '',
      PARLEY_EMBEDDED_WORKER: 'no',
      LOG_LEVEL: 'silent',
      DATABASE_URL: `file:${encodeURI(file)}`,
    };
    const child = environment.keep(await traceSystemCalls(trace, ['server/main.ts'], env));
    const over = once(child, 'exit');
    const said = await sayingOf(child.stdout, tokenShape);
    const [base = '', token = ''] = [/http:\/\/[\w.:]+/.exec(said)?.[0], tokenShape.exec(said)?.[0]];
    await Promise.all(
      Array.from({ length: callers }, async (_none, caller) => {
        for (let number = 0; number < requestsEach; number += 1) {
          const first_name = `Ada ${caller} ${number}`;
          const response = await fetch(`${base}/api/v1/contacts`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ first_name }),
          });
          const { id } = await response.json();
          names.set(id, first_name);
        }
      }),
    );
    // strace does not forward signals, so the service gets the signal directly.
    process.kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')), 'SIGTERM');
    await over;
    const isOurs = (path: string) => path.startsWith(file) && !/(shm|key)$/.test(path);
    return { calls: await parseSystemCalls(trace, isOurs), names };
  } finally {
    await environment.close();
  }
}

async function sayingOf(stream: NodeJS.ReadableStream | null, says: RegExp): Promise<string> {
  let said = '';
  if (stream)
    for await (const data of stream) {
      said += data;
      if (says.test(said)) return said;
    }
  throw new Error('The service did not start under strace.');
}

/** Returns the ID of the created contact if the text is a 201 response. */
function acknowledgedIn(text: string): number[] {
  if (!text.startsWith('HTTP/1.1 201')) return [];
  const { id } = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
  return [id];
}

/** Returns the failure after a power loss; undefined if the service starts and has all acknowledged data. */
async function findFailure(
  file: string,
  acknowledged: readonly number[],
  names: ReadonlyMap<number, string>,
): Promise<string | undefined> {
  try {
    const store = await openSqlite(file);
    try {
      const rows = await store.read((db) => db.selectFrom('contacts').select(['id', 'first_name']).execute());
      const stored = new Map(rows.map((row) => [row.id, row.first_name]));
      const lost = acknowledged.filter((id) => stored.get(id) !== names.get(id));
      if (lost.length > 0) return `${lost.length} of ${acknowledged.length} acknowledged contacts are lost`;
    } finally {
      await store.close();
    }
    const database = new DatabaseSync(file);
    try {
      assertIntact(database, 'The database');
    } finally {
      database.close();
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
