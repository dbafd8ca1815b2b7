import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createCli } from '../../operator/cli.ts';

test('restore --erasures erases a restored contact again, and records each erasure once', async () => {
  const { company, api, store, database } = await startService();
  const parley = createCli(database.url);
  const id = await company.contact({ first_name: 'Ada' });
  const row = await store.read((db) =>
    db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );
  await parley('contact', 'erase', '--company', String(company.id), '--contact', String(id));
  const { out } = await parley('erasure', 'list', '--json');
  expect(JSON.parse(out)).toMatchObject([{ company_id: company.id, kind: 'contact', id }]);
  expect((await parley('erasure', 'list', '--since', '2999-01-01', '--json')).out.trim()).toBe('[]');

  // Inserts the erased row again, as restoring a backup does.
  await store.write((db) => db.insertInto('contacts').values(row).execute());
  expect((await api.getContact(id)).status).toBe(200);
  const list = join(await temporaryFolder(), 'erasures.json');
  await writeFile(list, out);
  const apply = () => parley('restore', '--erasures', list, '--json');
  expect(JSON.parse((await apply()).out)).toMatchObject({ erasures_listed: 1, erased_again: 1 });
  expect(await api.getContact(id)).toBeApiError(404, 40401);
  expect(JSON.parse((await apply()).out)).toMatchObject({ erasures_listed: 1, erased_again: 0 });
  expect(JSON.parse((await parley('erasure', 'list', '--json')).out)).toHaveLength(1);
});
