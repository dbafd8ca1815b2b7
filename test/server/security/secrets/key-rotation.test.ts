import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecrets } from '../../../../server/security/secrets/encryption.ts';
import { openSecrets } from '../../../../server/security/secrets/open-secrets.ts';
import { reencryptAll } from '../../../../server/security/secrets/rotate-key.ts';
import { webhookSecretContext } from '../../../../server/security/secrets/webhook-secret.ts';
import {
  listSealedResponses,
  listSealedWebhooks,
} from '../../../../server/storage/queries/encrypted-columns.ts';
import { createCli } from '../../../support/cli.ts';
import { startService } from '../../../support/service.ts';

const webhook = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://hooks.example.com/a' };

test('secrets rotate re-encrypts all secrets, so that the new key alone opens them', async () => {
  const [before, now] = [randomBytes(32), randomBytes(32)];
  const { api, company, store, database } = await startService({ secretKey: before });
  const made = await api.createWebhook(webhook, { 'idempotency-key': 'k' });
  await api.createWebhook(webhook);
  const secret = made.headers.get('webhook-secret');
  const parleyWith = (...keys: Buffer[]) =>
    createCli(database.url, { PARLEY_SECRET_KEY: keys.map((key) => key.toString('base64')).join(',') });
  await parleyWith(before, now).json(`webhook rotate-secret --company ${company.id} --webhook ${made.body}`);

  const parley = parleyWith(now, before);
  expect(await parley.json('secrets rotate')).toEqual({ secrets: 4, resealed: 4 });
  expect(await parley.json('secrets rotate')).toEqual({ secrets: 4, resealed: 0 });

  const alone = createSecrets(now);
  const [first] = await store.read(listSealedWebhooks);
  expect(alone.open(first?.previous_secret ?? Buffer.of(), webhookSecretContext(company.id, made.body))).toBe(
    secret,
  );
  const [response] = await store.read(listSealedResponses);
  expect(alone.isCurrent(Buffer.from(response?.headers ?? '', 'base64'))).toBe(true);
  expect(await parleyWith(now).json('secrets rotate')).toEqual({ secrets: 4, resealed: 0 });
  // With only the previous key, the command fails, and does not print the key.
  const wrong = await parleyWith(before)('secrets rotate');
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.err).not.toContain(before.toString('base64'));
});

test('re-encrypts secrets sealed during the rotation, and rejects a key that does not open all secrets', async () => {
  const [before, now] = [randomBytes(32), randomBytes(32)];
  const { api, company, store } = await startService({ secretKey: before });
  await api.createWebhook(webhook);
  let isMade = false;
  const wrappedStore = {
    ...store,
    write: async (...given: Parameters<typeof store.write>) => {
      const done = await store.write(...given);
      if (!isMade) {
        isMade = true;
        await api.createWebhook(webhook);
      }
      return done;
    },
  } as typeof store;
  const keys = { keyFile: '', mayMakeKey: false };
  await expect(openSecrets(store, { keys: [now], ...keys })).rejects.toThrow(
    'PARLEY_SECRET_KEY is not the key',
  );
  expect(await reencryptAll(wrappedStore, createSecrets(now, before))).toEqual({ secrets: 2, resealed: 2 });
  await expect(openSecrets(store, { keys: [now], ...keys })).resolves.toBeDefined();
  const [first] = await store.read(listSealedWebhooks);
  await store.write((db) =>
    db
      .updateTable('webhooks')
      .set({ secret: createSecrets(before).seal('x', webhookSecretContext(company.id, first?.id ?? 0)) })
      .where('id', '=', first?.id ?? 0)
      .execute(),
  );
  // The newest secret opens with the new key, but the first does not.
  await expect(openSecrets(store, { keys: [now], ...keys })).rejects.toThrow(
    'PARLEY_SECRET_KEY is not the key',
  );
});
