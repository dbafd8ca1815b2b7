import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecrets } from '../../../../server/security/secrets/open-secrets.ts';
import { webhookSecretContext } from '../../../../server/security/secrets/webhook-secret.ts';
import { startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

async function withDatabase() {
  const service = await startService();
  const keyFile = join(await temporaryFolder(), 'parley.db.key');
  const open = (key: Uint8Array | null = null) =>
    openSecrets(service.store, { keys: key && [key], keyFile, mayMakeKey: true });
  return { ...service, keyFile, open };
}

/** Creates a webhook whose secret is sealed with the given key or, without one, with the key in the key file. */
async function registered(given: Awaited<ReturnType<typeof withDatabase>>, key: Uint8Array | null = null) {
  const secrets = await given.open(key);
  const id = await given.company.webhook({ entity_id: 2, action_id: 1 });
  const secret = secrets.seal('whsec_x', webhookSecretContext(given.company.id, id));
  await given.store.write((db) => db.updateTable('webhooks').set({ secret }).execute());
}

test('creates a key file for an empty database, and accepts this file afterwards', async () => {
  const given = await withDatabase();
  await registered(given);
  expect(existsSync(given.keyFile)).toBe(true);
  await given.open();
});

test('creates no key file if the key is configured', async () => {
  const given = await withDatabase();
  const key = randomBytes(32);
  await registered(given, key);
  await given.open(key);
  expect(existsSync(given.keyFile)).toBe(false);
});

test('reports a missing key file if secrets need it, and does not create another one', async () => {
  const given = await withDatabase();
  await registered(given);
  await rename(given.keyFile, `${given.keyFile}.away`);
  await expect(given.open()).rejects.toThrow(`${given.keyFile} is missing, but the database has secrets.`);
  expect(existsSync(given.keyFile)).toBe(false);
});

test('reports a missing key if none may be created, and the database has no secrets', async () => {
  const { store, keyFile } = await withDatabase();
  const opening = openSecrets(store, { keys: null, keyFile, mayMakeKey: false });
  await expect(opening).rejects.toThrow('There is no encryption key yet.');
});

test('rejects a key that cannot decrypt the secrets', async () => {
  const given = await withDatabase();
  await registered(given);
  await expect(given.open(randomBytes(32))).rejects.toThrow('PARLEY_SECRET_KEY is not the key');
});
