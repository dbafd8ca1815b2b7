import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('restore --erasures erases a restored contact again, and records each erasure once', async () => {
  const { company, api, store, parley } = await startService();
  const id = await company.contact({ first_name: 'Ada' });
  const row = await store.read((db) =>
    db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );
  await company.run(`contact erase --contact ${id}`);
  const erasures = await parley.json('erasure list');
  expect(erasures).toMatchObject([{ company_id: company.id, kind: 'contact', id }]);

  // Inserts the erased row again, as restoring a backup does.
  await store.write((db) => db.insertInto('contacts').values(row).execute());
  expect((await api.getContact(id)).status).toBe(200);
  const list = join(await temporaryFolder(), 'erasures.json');
  await writeFile(list, JSON.stringify(erasures));
  const apply = () => parley.json('restore', '--erasures', list);
  expect(await apply()).toMatchObject({ erasures_listed: 1, erased_again: 1 });
  expect(await api.getContact(id)).toBeApiError(404, 40401);
  expect(await apply()).toMatchObject({ erasures_listed: 1, erased_again: 0 });
  expect(await parley.json('erasure list')).toHaveLength(1);
});
