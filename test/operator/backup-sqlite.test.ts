import { existsSync } from 'node:fs';
import { copyFile, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startService } from '../service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { operatorOn } from './operator-on.ts';

async function used() {
  const service = await startService();
  const parley = operatorOn(service.database.url);
  return { ...service, parley, file: service.database.file, folder: await temporaryFolder() };
}

const idsIn = (file: string): number[] => {
  const copy = new DatabaseSync(file, { readOnly: true });
  const ids = copy.prepare('SELECT id FROM contacts ORDER BY id').all();
  copy.close();
  return ids.map(({ id }) => Number(id));
};

test('a backup is of one moment, though the service goes on writing, and is one sound file', async () => {
  const { parley, company, folder } = await used();
  const long = 'x'.repeat(250);
  const before = await Promise.all(
    Array.from({ length: 300 }, () => company.contact({ first_name: long, last_name: long })),
  );
  let writing = true;
  const written = (async () => {
    while (writing) await Promise.all(Array.from({ length: 8 }, () => company.contact({ first_name: long })));
  })();
  const copy = join(folder, 'copy.db');
  const { code, out } = await parley('backup', '--to', copy, '--json');
  writing = false;
  await written;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ to: copy, bytes: expect.any(Number) });
  const ids = idsIn(copy);
  expect(ids.length).toBeGreaterThanOrEqual(before.length);
  // Whatever is in it, everything that was made before that is in it, too.
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, place) => place + 1));
  expect(await readdir(folder)).toEqual(['copy.db']);
  // Nobody may read the copy who may not read the original; of that only its owner may.
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
});

test('a backup takes no name that something has, and nothing of itself stays', async () => {
  const { parley, folder } = await used();
  const taken = join(folder, 'taken');
  await writeFile(taken, 'mine');
  const { code, err } = await parley('backup', '--to', taken);
  expect([code, err]).toEqual([1, expect.stringContaining(`${taken} is there already`)]);
  expect(await readFile(taken, 'utf8')).toBe('mine');
  expect((await parley('backup', '--to', join(folder, 'no', 'such'))).code).toBe(1);
  expect(await readdir(folder)).toEqual(['taken']);
});

test('a backup is restored as it was, and what was there is kept', async () => {
  const { parley, company, api, store, database, file, folder } = await used();
  const id = await company.contact({ first_name: 'Kept' });
  const copy = join(folder, 'copy.db');
  await parley('backup', '--to', copy);
  await company.contact({ first_name: 'Later' });
  const whole = (await api.getContact(id)).text;
  await store.close();
  expect(await parley('restore', '--from', copy)).toMatchObject({
    code: 1,
    err: expect.stringContaining('--replace'),
  });
  const { code, out } = await parley('restore', '--from', copy, '--replace', '--json');
  expect(code).toBe(0);
  expect(idsIn(file)).toEqual([id]);
  expect(idsIn(JSON.parse(out).kept)).toEqual([id, id + 1]);
  const again = await startService({ database });
  const { api: restored } = await again.company.token();
  expect((await restored.getContact(id)).status).toBe(404);
  const mine = await again.store.read((db) => db.selectFrom('contacts').selectAll().execute());
  expect(mine.map(({ first_name }) => first_name)).toEqual([JSON.parse(whole).first_name]);
  expect(idsIn(copy)).toEqual([id]);
});

test('a backup is restored where nothing is, too', async () => {
  const { parley, company, folder } = await used();
  await company.contact();
  const copy = join(folder, 'copy.db');
  await parley('backup', '--to', copy);
  const file = join(folder, 'new', 'parley.db');
  const { code, out } = await operatorOn(`file:${encodeURI(file)}`)('restore', '--from', copy);
  expect([code, out]).toEqual([0, expect.stringContaining(`${file}.key`)]);
  expect(idsIn(file)).toHaveLength(1);
});

test('what is in use is not replaced', async () => {
  const { parley, company, file, folder } = await used();
  const copy = join(folder, 'copy.db');
  await parley('backup', '--to', copy);
  await company.contact();
  const { code, err } = await parley('restore', '--from', copy, '--replace');
  expect([code, err]).toEqual([1, expect.stringContaining('is in use')]);
  expect(idsIn(file)).toHaveLength(1);
  expect(await readdir(dirname(file))).not.toContainEqual(expect.stringContaining('restored'));
});

test('what is no sound backup replaces nothing', async () => {
  const { parley, company, store, file, folder } = await used();
  for (let count = 0; count < 50; count += 1) await company.contact({ first_name: 'x'.repeat(200) });
  const copy = join(folder, 'copy.db');
  await parley('backup', '--to', copy);
  await store.close();
  const before = await readFile(file);
  const notes = join(folder, 'notes');
  await writeFile(notes, 'no database '.repeat(900));
  const other = join(folder, 'other.db');
  const foreign = new DatabaseSync(other);
  foreign.exec('CREATE TABLE bookmarks (url TEXT)');
  foreign.close();
  const damaged = join(folder, 'damaged.db');
  await copyFile(copy, damaged);
  const handle = await open(damaged, 'r+');
  // Somewhere behind the pages that every opening reads.
  for (let page = 20; page < 40; page += 1) await handle.write(Buffer.alloc(512, 0xff), 0, 512, page * 4_096);
  await handle.close();
  const empty = join(folder, 'empty.db');
  await writeFile(empty, '');
  const newer = join(folder, 'newer.db');
  await copyFile(copy, newer);
  const future = new DatabaseSync(newer);
  future.exec("INSERT INTO kysely_migration VALUES ('9999-future', '2030-01-01T00:00:00.000Z')");
  future.close();
  for (const [from, why] of [
    [notes, 'no database of SQLite'],
    [other, 'another program (bookmarks)'],
    [damaged, 'damaged.db is'],
    [empty, 'there is nothing in it'],
    [file, 'is the database itself'],
    [newer, 'newer Parley'],
    [join(folder, 'nowhere'), 'There is no file'],
  ] as const) {
    const { code, err } = await parley('restore', '--from', from, '--replace');
    expect([code, err], from).toEqual([1, expect.stringContaining(why)]);
    expect((await readFile(file)).equals(before), from).toBe(true);
  }
  expect(
    (await readdir(dirname(file))).filter((name) => name.includes('restored') || name.includes('before')),
  ).toEqual([]);
});

test('a log without its database is not taken for the log of the restored one', async () => {
  const { parley, folder } = await used();
  const copy = join(folder, 'copy.db');
  await parley('backup', '--to', copy);
  const file = join(folder, 'gone.db');
  await writeFile(`${file}-wal`, 'what is left');
  const { code, err } = await operatorOn(`file:${encodeURI(file)}`)('restore', '--from', copy);
  expect([code, err]).toEqual([1, expect.stringContaining(`${file}-wal`)]);
  expect(existsSync(file)).toBe(false);
});
