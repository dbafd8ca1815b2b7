import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { assertIntact } from '../../../../server/storage/sqlite/corruption.ts';
import { createApiClient } from '../../../support/api-client.ts';
import { fileAt, freshFile } from '../../../support/databases.ts';
import { openAt, startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const addressOf = (file: string) => fileAt(file).url;

/** Creates a database that no process has open. */
async function database(): Promise<string> {
  const { store, company, database } = await startService();
  for (let count = 0; count < 20; count += 1) await company.contact();
  await store.close();
  return database.file;
}

/** Starts the service with a maximum file size in KiB, which simulates a full disk. */
const startWithin = (kibibytes: number, file: string) =>
  new Promise<{ code: unknown; err: string }>((done) => {
    const env = { ...process.env, PORT: '0', DATABASE_URL: addressOf(file) };
    execFile(
      'bash',
      ['-c', `ulimit -f ${kibibytes}; exec "$0" server/main.ts --empty`, process.execPath],
      { env, timeout: 60_000 },
      (error, _out, err) => done({ code: error?.code, err }),
    );
  });

test('creates no database on a full disk, and the next start works', async () => {
  const file = join(await temporaryFolder(), 'new', 'parley.db');
  const { code, err } = await startWithin(64, file);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^✘ Parley cannot start\. DATABASE_URL names .*parley\.db, which cannot be used: the disk .*full/,
  );
  await (await openAt(addressOf(file))).close();
  expect(await readdir(dirname(file))).toEqual(['parley.db']);
});

test('does not start on a full disk, and does not change the database', async () => {
  const file = await database();
  const before = await readFile(file);
  const { code, err } = await startWithin(1, file);
  expect([code, err]).toEqual([1, expect.stringContaining('the disk')]);
  expect((await readFile(file)).equals(before)).toBe(true);
});

test('when the disk becomes full, writes return 503, reads succeed, and acknowledged writes are kept', async () => {
  const file = await database();
  const { store, company } = await startService({ database: fileAt(file) });
  const { token } = await company.token();
  await store.close();
  // Each file may grow to this size in KiB: the current database size plus 600 KiB.
  const child = spawn(
    'bash',
    [
      '-c',
      `ulimit -f ${Math.ceil((await readFile(file)).length / 1_024) + 600}; exec "$0" server/main.ts --empty`,
      process.execPath,
    ],
    { env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: '', DATABASE_URL: addressOf(file) } },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  await expect.poll(() => said).toContain('is listening on');
  const api = createApiClient(/http:\/\/\S+/.exec(said)?.[0] ?? '', token);
  const made: number[] = [];
  let refused = 0;
  for (let count = 0; count < 400 && refused < 5; count += 1) {
    const { status, body } = await api.createContact({ first_name: `Full ${count}`.padEnd(200, 'x') });
    if (status === 201) made.push(body.id);
    else {
      expect(status).toBe(503);
      refused += 1;
    }
  }
  expect(refused).toBe(5);
  expect(made.length).toBeGreaterThan(5);
  expect((await api.getContact(made.at(-1) ?? 0)).status).toBe(200);
  expect((await api.listContacts()).status).toBe(200);
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
  const after = createApiClient((await startService({ database: fileAt(file) })).base, token);
  for (const id of made) expect((await after.getContact(id)).status).toBe(200);
  const stored = new DatabaseSync(file, { readOnly: true });
  assertIntact(stored, file);
  stored.close();
});

/** Runs work without root's permission to write everywhere. */
async function withoutRights<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.('nobody');
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('reports an unwritable file or folder, with the remedy', async () => {
  const file = await database();
  const before = await readFile(file);
  await chmod(dirname(file), 0o555);
  await chmod(file, 0o444);
  await withoutRights(() =>
    expect(openAt(addressOf(file))).rejects.toThrow(/parley\.db, which cannot be used: it or its folder/),
  );
  await chmod(dirname(file), 0o755);
  expect((await readFile(file)).equals(before)).toBe(true);
  const other = join(dirname(file), 'other.db');
  await withoutRights(() => expect(openAt(addressOf(other))).rejects.toThrow('permission denied'));
  expect(existsSync(other)).toBe(false);
});

test('rejects a corrupted file and a folder, and leaves a file that is not a database unchanged', async () => {
  const notes = join(await temporaryFolder(), 'notes.txt');
  await writeFile(notes, 'These are notes, not a database. '.repeat(200));
  const before = await readFile(notes);
  await expect(openAt(addressOf(notes))).rejects.toThrow(
    `DATABASE_URL names ${notes}, which cannot be used: it is not an SQLite database.`,
  );
  expect((await readFile(notes)).equals(before)).toBe(true);
  expect(await readdir(dirname(notes))).toEqual(['notes.txt']);

  const { file } = await freshFile();
  await writeFile(file, (await readFile(await database())).fill(0xff, 100, 3_000));
  await expect(openAt(addressOf(file))).rejects.toThrow('it is corrupted.');
  await expect(openAt(addressOf(dirname(file)))).rejects.toThrow('it is a folder, not a file.');
});
