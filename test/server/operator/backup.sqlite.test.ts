import { existsSync, statSync, watch } from 'node:fs';
import { chmod, copyFile, open, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { insertAuditRecord } from '../../../server/storage/queries/audit-records.ts';
import { createApiClient } from '../../support/api-client.ts';
import { createCli } from '../../support/cli.ts';
import { fileAt } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const auditRecord = {
  ...{ company_id: 1, created_at: 1, operator: null, token_id: 1, user_id: 1 },
  ...{ action: 'updateContact', request_id: 'a', options: null },
};

async function startWithBackup() {
  const service = await startService();
  const folder = await temporaryFolder();
  const copy = join(folder, 'copy.db');
  /** Makes a backup. @returns its path */
  const backup = async () => {
    await service.parley.json('backup', '--to', copy);
    return copy;
  };
  return { ...service, backup, file: service.database.file, folder };
}

const cliOf = (file: string) => createCli(fileAt(file).url);

const idsIn = async (file: string): Promise<number[]> =>
  (await fileAt(file).look('SELECT id FROM contacts ORDER BY id')).map((row) => Number(Object(row).id));

test('a backup during writes is one intact file with the data of a single point in time', async () => {
  const { parley, company, folder } = await startWithBackup();
  const long = 'x'.repeat(250);
  const before = await Promise.all(
    Array.from({ length: 300 }, () => company.contact({ first_name: long, last_name: long })),
  );
  let writing = true;
  const written = (async () => {
    while (writing) await Promise.all(Array.from({ length: 8 }, () => company.contact({ first_name: long })));
  })();
  const copy = join(folder, 'copy.db');
  const made = await parley.json('backup', '--to', copy);
  writing = false;
  await written;
  expect(made).toMatchObject({ to: copy, bytes: expect.any(Number) });
  const ids = await idsIn(copy);
  expect(ids.length).toBeGreaterThanOrEqual(before.length);
  // The IDs have no gaps, so each contact in the copy comes with all contacts that were created before it.
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1));
  expect(await readdir(folder)).toEqual(['copy.db']);
  // Only the owner may read the original, so only the owner may read the copy.
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
});

test('a failed backup does not overwrite an existing file, and leaves no files behind', async () => {
  const { parley, folder } = await startWithBackup();
  const taken = join(folder, 'taken');
  await writeFile(taken, 'mine');
  expect(await parley('backup', '--to', taken)).toFail(1, `${taken} exists already`);
  expect(await readFile(taken, 'utf8')).toBe('mine');
  expect(await parley('backup', '--to', join(folder, 'no', 'such'))).toFail(1);
  expect(await readdir(folder)).toEqual(['taken']);
});

test('restores a backup, and keeps the replaced database', async () => {
  const { parley, backup, company, api, store, database, file } = await startWithBackup();
  const id = await company.contact({ first_name: 'Kept' });
  const copy = await backup();
  await company.contact({ first_name: 'Later' });
  const whole = (await api.getContact(id)).text;
  await store.close();
  expect(await parley('restore', '--from', copy)).toFail(1, '--replace');
  const { kept } = await parley.json('restore --replace', '--from', copy);
  expect(await idsIn(file)).toEqual([id]);
  expect(await idsIn(kept)).toEqual([id, id + 1]);
  const again = await startService({ database });
  const { api: restored } = await again.company.token();
  expect((await restored.getContact(id)).status).toBe(404);
  const mine = await again.store.read((db) => db.selectFrom('contacts').selectAll().execute());
  expect(mine.map(({ first_name }) => first_name)).toEqual([JSON.parse(whole).first_name]);
  expect(await idsIn(copy)).toEqual([id]);
});

test('restores a backup if no database exists yet', async () => {
  const { backup, company, folder } = await startWithBackup();
  await company.contact();
  const copy = await backup();
  const file = join(folder, 'new', 'parley.db');
  expect((await cliOf(file)('restore', '--from', copy)).out).toContain(`${file}.key`);
  expect(await idsIn(file)).toHaveLength(1);
});

test('restore does not replace a database that is in use', async () => {
  const { parley, backup, company, file } = await startWithBackup();
  const copy = await backup();
  await company.contact();
  expect(await parley('restore --replace', '--from', copy)).toFail(1, 'is in use');
  expect(await idsIn(file)).toHaveLength(1);
  expect(await readdir(dirname(file))).not.toContainEqual(expect.stringContaining('restored'));
});

test('restore replaces nothing if the backup is invalid', async () => {
  const { parley, backup, company, store, file, folder } = await startWithBackup();
  for (let count = 0; count < 50; count += 1) await company.contact({ first_name: 'x'.repeat(200) });
  const copy = await backup();
  await store.close();
  const before = await readFile(file);
  const notes = join(folder, 'notes');
  await writeFile(notes, 'no database '.repeat(900));
  const other = join(folder, 'other.db');
  await fileAt(other).executeSql('CREATE TABLE bookmarks (url TEXT)');
  const corrupted = join(folder, 'corrupted.db');
  await copyFile(copy, corrupted);
  const handle = await open(corrupted, 'r+');
  // Corrupts only pages that are not read when the file is opened.
  for (let page = 20; page < 40; page += 1) await handle.write(Buffer.alloc(512, 0xff), 0, 512, page * 4_096);
  await handle.close();
  // SQLite reads zeros instead of the missing part of a page.
  const cut = join(folder, 'cut.db');
  await copyFile(copy, cut);
  await truncate(cut, (await stat(cut)).size - 512);
  const empty = join(folder, 'empty.db');
  await writeFile(empty, '');
  for (const [from, why] of [
    [notes, 'not an SQLite database'],
    [other, 'another program ("bookmarks")'],
    [corrupted, 'corrupted.db is'],
    [cut, 'its end is missing'],
    [empty, 'it is empty'],
    [file, 'is the database itself'],
    [join(folder, 'nowhere'), 'does not exist'],
  ] as const) {
    expect(await parley('restore --replace', '--from', from), from).toFail(1, why);
    expect((await readFile(file)).equals(before), from).toBe(true);
  }
  expect(
    (await readdir(dirname(file))).filter((name) => name.includes('restored') || name.includes('before')),
  ).toEqual([]);
});

test('restore fails if a leftover WAL would be applied to the restored database', async () => {
  const { backup, folder } = await startWithBackup();
  const copy = await backup();
  const file = join(folder, 'gone.db');
  await writeFile(`${file}-wal`, 'leftover');
  expect(await cliOf(file)('restore', '--from', copy)).toFail(1, `${file}-wal`);
  expect(existsSync(file)).toBe(false);
});

/** Creates a backup, and then revokes a token, and erases a contact and a company. */
async function backedUp() {
  const service = await startWithBackup();
  const { parley, backup, company, store, file } = service;
  const token = await company.token();
  const [erased, kept] = [await company.contact({ first_name: 'Erased' }), await company.contact()];
  const other = await service.addCompany();
  await other.contact({ first_name: 'Other' });
  const copy = await backup();
  await company.run(`token revoke --token ${token.id}`);
  await company.run(`contact erase --contact ${erased}`);
  await other.run('company erase', '--name', 'A company');
  const list = join(service.folder, 'erasures.json');
  await writeFile(list, JSON.stringify(await parley.json('erasure list')));
  await store.close();
  const words = async () => (await readFile(file)).toString('latin1');
  /** Restores the backup. @returns its summary */
  const restore = (...options: string[]) => parley.json('restore --replace', '--from', copy, ...options);
  return { ...service, token, kept, copy, list, words, restore };
}

test('restore repeats revocations and erasures that are newer than the backup', async () => {
  const { parley, database, token, kept, company, words, restore } = await backedUp();
  expect(await restore()).toMatchObject({ tokens_revoked: 1, erased_again: 2, warning: null });
  expect(await words()).not.toMatch(/Erased|Other/);
  const again = await startService({ database });
  expect(await createApiClient(again.base, token.token).listContacts()).toBeApiError(401, 40104);
  const rows = await again.store.read((db) =>
    db.selectFrom('contacts').select(['id', 'company_id']).execute(),
  );
  expect(rows).toEqual([{ id: kept, company_id: company.id }]);
  // The restored database keeps the list of erasures for the next restore.
  expect(await parley.json('erasure list')).toHaveLength(2);
});

test('without the earlier database, restore warns, and can revoke all tokens', async () => {
  const { copy, folder, token } = await backedUp();
  const restored = await cliOf(join(folder, 'new', 'parley.db'))('restore', '--from', copy);
  expect(restored.out).toContain('Tokens that were revoked after the backup are valid again');
  const file = join(folder, 'second', 'parley.db');
  const secure = cliOf(file);
  const summary = await secure.json('restore --revoke-tokens', '--from', copy);
  expect(summary).toMatchObject({ warning: expect.stringContaining('--erasures') });
  expect(summary.tokens_revoked).toBeGreaterThan(1);
  const again = await startService({ database: fileAt(file) });
  expect(await createApiClient(again.base, token.token).listContacts()).toBeApiError(401, 40104);
});

test('restore --erasures does not erase a different entity that has the same ID as a listed one', async () => {
  const { list } = await backedUp();
  const { company, parley } = await startService();
  for (let times = 0; times < 3; times += 1) await company.contact();
  expect((await parley.json('restore', '--erasures', list)).erased_again).toBe(0);
  expect((await company.api.listContacts('?include_anonymous=true')).body).toHaveLength(3);
  await writeFile(list, '[{"kind": "contact"}]');
  expect(await parley('restore', '--erasures', list)).toFail(1, 'is not a list of erasures');
});

test('restore replaces a database that cannot be read, and warns', async () => {
  const { file, database, restore } = await backedUp();
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(4_096, 0xff), 0, 4_096, 0);
  await handle.close();
  const corrupted = await readFile(file);
  const { warning, kept } = await restore();
  expect(warning).toContain('the earlier database could not be read');
  expect((await readFile(kept)).equals(corrupted)).toBe(true);
  // IDs that were assigned after the backup may be known to other systems.
  const again = await startService({ database });
  expect(await again.company.contact()).toBeGreaterThan(1_000_000);
});

test('a backup is first written to a temporary folder that only the owner can open', async () => {
  const { parley, folder, company } = await startWithBackup();
  for (let count = 0; count < 200; count += 1) await company.contact({ first_name: 'x'.repeat(200) });
  const drafts = new Map<string, number>();
  const watcher = watch(folder, (_event, name) => {
    try {
      if (name?.startsWith('.parley-')) drafts.set(name, statSync(join(folder, name)).mode & 0o777);
    } catch {
      // The temporary folder has been removed meanwhile.
    }
  });
  for (const name of ['a.db', 'b.db']) await parley.json('backup', '--to', join(folder, name));
  watcher.close();
  expect(drafts.size).toBeGreaterThan(0);
  expect(new Set(drafts.values())).toEqual(new Set([0o700]));
  expect((await readdir(folder)).sort()).toEqual(['a.db', 'b.db']);
});

test("a restored database has the file mode of the replaced database, regardless of the backup's mode", async () => {
  const { file, copy, restore } = await backedUp();
  await chmod(copy, 0o644);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await restore();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('restore disables webhooks that were disabled or deleted after the backup, and keeps newer secrets', async () => {
  const { parley, backup, api, company, store, file, database } = await startWithBackup();
  const selectors = { entity_id: 2, action_id: 1 };
  const [disabled = 0, deleted = 0, rotated = 0, untouched = 0] = await Promise.all(
    Array.from({ length: 4 }, () => company.webhook(selectors)),
  );
  const copy = await backup();
  await company.run(`webhook update --webhook ${disabled} --enabled no`);
  await api.deleteWebhook(deleted);
  await store.close();
  await database.executeSql(
    `UPDATE webhooks SET secret = x'01', previous_secret = x'02' WHERE id = ${rotated}`,
  );
  const secretsIn = (path: string) =>
    fileAt(path).look(`SELECT secret, previous_secret FROM webhooks WHERE id = ${rotated}`);
  const secrets = await secretsIn(file);
  expect(await parley.json('restore --replace', '--from', copy)).toMatchObject({
    webhooks_disabled: 2,
    warning: null,
  });
  expect(await company.run('webhook list')).toMatchObject([
    { id: disabled, disabled_why: 'operator' },
    { id: deleted, disabled_why: 'operator' },
    { id: rotated, disabled_why: null },
    { id: untouched, disabled_why: null },
  ]);
  expect(await secretsIn(copy)).not.toEqual(secrets);
  expect(await secretsIn(file)).toEqual(secrets);
});

test('a second restore does not revive a token or webhook that was missing from the first backup', async () => {
  const { parley, company, store, database, folder } = await startWithBackup();
  const [first, second] = [join(folder, 'first.db'), join(folder, 'second.db')];
  const restore = (from: string) => parley.json('restore --replace', '--from', from);
  await parley.json('backup', '--to', first);
  const token = await company.token();
  const webhook = await company.webhook({ entity_id: 2, action_id: 1 });
  await parley.json('backup', '--to', second);
  await company.run(`token revoke --token ${token.id}`);
  await company.run(`webhook update --webhook ${webhook} --enabled no`);
  await store.close();
  const [none, one] = [
    { tokens_revoked: 0, webhooks_disabled: 0 },
    { tokens_revoked: 1, webhooks_disabled: 1 },
  ];
  expect(await restore(first)).toMatchObject({ ...none, warning: null });
  expect(await restore(second)).toMatchObject({ ...one, warning: null });
  const again = await startService({ database });
  expect(await createApiClient(again.base, token.token).listContacts()).toBeApiError(401, 40104);
  // A webhook that the operator enables stays enabled after the next restore.
  await company.run(`webhook update --webhook ${webhook} --enabled yes`);
  await again.store.close();
  expect(await restore(second)).toMatchObject({ tokens_revoked: 1, webhooks_disabled: 0 });
});

test('after a restore, IDs and sequences continue after those of the replaced database', async () => {
  const { parley, backup, company, store, database } = await startWithBackup();
  const { token } = await company.token();
  const webhook = await company.webhook({ entity_id: 2, action_id: 1 });
  const copy = await backup();
  const later = [await company.contact(), await company.contact()];
  const lastSequence = async () => {
    const [row] = await database.look(`SELECT last_sequence FROM webhooks WHERE id = ${webhook}`);
    return Number(Object.values(row ?? {})[0]);
  };
  const before = await lastSequence();
  await store.close();
  await parley.json('restore --replace', '--from', copy);
  const { base } = await startService({ database });
  const { body } = await createApiClient(base, token).createContact({ first_name: 'New' });
  expect(body.id).toBeGreaterThan(Math.max(...later));
  expect(await lastSequence()).toBe(before + 1);
});

test('restore keeps the audit records that are newer than the backup', async () => {
  const { parley, company, store, backup } = await startWithBackup();
  const { id: token } = await company.token();
  await company.run(`token update --token ${token} --per-minute 9`);
  const copy = await backup();
  for (const entity_id of [1, 2, 3])
    await store.write((db) => insertAuditRecord(db, { ...auditRecord, entity_id }));
  await company.run(`token revoke --token ${token}`);
  const list = () => parley.json('audit list --limit 100000');
  const before = await list();
  await store.close();
  await parley.json('restore --replace', '--from', copy);
  const [restored, ...others] = await list();
  expect(restored.action).toBe('restore');
  expect(others).toEqual(before);
});

/** Writes bytes to the root page of a table of a database that no process has open. */
async function overwrite(file: string, table: string, at: number, bytes: Buffer): Promise<void> {
  const database = fileAt(file);
  const [row] = await database.look(`SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`);
  await database.executeSql('PRAGMA wal_checkpoint(TRUNCATE)');
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, (Number(Object(row).rootpage) - 1) * 4_096 + at);
  await handle.close();
}

test('restore warns if the database that it replaces is corrupted but readable', async () => {
  const { file, restore } = await backedUp();
  // Sets the number of cells in the page to 0 (SQLite file format, section 1.6).
  await overwrite(file, 'tokens', 3, Buffer.alloc(2));
  const { warning, tokens_revoked } = await restore('--revoke-tokens');
  expect(warning).toContain('is corrupted');
  expect(tokens_revoked).toBeGreaterThan(1);
});

test('restore repeats revocations even if the audit records of the replaced database are corrupted', async () => {
  const { file, restore } = await backedUp();
  await overwrite(file, 'audit_records', 0, Buffer.alloc(512, 0xff));
  expect(await restore()).toMatchObject({
    tokens_revoked: 1,
    warning: expect.stringContaining('is corrupted'),
  });
});
