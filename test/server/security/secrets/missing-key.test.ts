import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecrets } from '../../../../server/security/secrets/open-secrets.ts';
import { startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('without a key, the message depends on whether the database has secrets', async () => {
  const { store, company } = await startService();
  const keyFile = join(await temporaryFolder(), 'missing.key');
  const open = () => openSecrets(store, { keys: null, keyFile, mayMakeKey: false });
  await expect(open()).rejects.toThrow('There is no encryption key yet.');
  await company.webhook({ entity_id: 2, action_id: 1 });
  await expect(open()).rejects.toThrow('is missing, but the database has secrets.');
});
