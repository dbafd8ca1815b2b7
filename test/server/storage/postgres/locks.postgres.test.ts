import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../../../generated/operations.ts';
import { deleteContact } from '../../../../server/features/contacts/delete.ts';
import { closeConversation } from '../../../../server/features/conversations/update.ts';
import { updateFieldDefinition } from '../../../../server/features/fields/definitions.ts';
import { storeBatch } from '../../../../server/features/import/store-batch.ts';
import { editMessage } from '../../../../server/features/messages/update.ts';
import {
  lockCompany,
  lockFieldDefinitionsExclusive,
  lockTokensExclusive,
  lockTokensShared,
} from '../../../../server/storage/locks.ts';
import { findContactForUpdate } from '../../../../server/storage/queries/contacts.ts';
import { findConversationForUpdate } from '../../../../server/storage/queries/conversations.ts';
import { eraseBatch } from '../../../../server/storage/queries/erasure.ts';
import { revokeToken } from '../../../../server/storage/queries/tokens.ts';
import { findWebhookForUpdate } from '../../../../server/storage/queries/webhooks.ts';
import type { Database } from '../../../../server/storage/store.ts';
import { emptyContact, startService } from '../../../support/service.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';
import { createFixtures, type Fixtures, operationIds, sendValid } from '../../own-contract/valid-requests.ts';
import { holdLock } from './hold-lock.ts';

type Service = Awaited<ReturnType<typeof startService>>;
type Hold = (db: Database, company: number, of: Fixtures) => Promise<unknown>;
type Ask = (service: Service, of: Fixtures) => Promise<unknown>;

const holds: Record<string, Hold> = {
  'a write of a token': (db, company) => lockTokensShared(db, company),
  'the revocation of a token': (db, company) => lockTokensExclusive(db, company),
  'the definitions of fields': (db, company) => lockFieldDefinitionsExclusive(db, company),
  'a company': (db, company) => lockCompany(db, company),
  'a contact': (db, company, { contact }) => findContactForUpdate(db, company, contact),
  'a conversation': (db, company, { conversation }) => findConversationForUpdate(db, company, conversation),
  'a webhook': (db, company, { webhook }) => findWebhookForUpdate(db, company, webhook),
};

const nobodysToken = 4_999_999;

const actions: Record<string, Ask> = {
  'a revocation': ({ store, company, now }) =>
    store.write((db) => revokeToken(db, company.id, nobodysToken, now())),
  'the erasure of a company': ({ store, company }) =>
    store.write((db) => eraseBatch(db, company.id, 'tokens')),
  'the creation of a contact': ({ api }) => api.createContact({ first_name: 'Bea' }),
  'the update of a contact': ({ api }, { contact }) =>
    api.updateContact(contact, { ...emptyContact, first_name: 'Bea' }),
  'the deletion of a contact': ({ store, company, now }, { contact }) =>
    store.write((db) => deleteContact(db, company.id, contact, now())),
  'an import': ({ store, company, now }) =>
    store.write((db) =>
      storeBatch(db, company.id, [{ number: 1, entry: { kind: 'contact', key: 'k' } }], now()),
    ),
  'a new field': ({ company }) => company.field(),
  'the change of a field': ({ store, company, now }, { field }) =>
    store.write((db) => updateFieldDefinition(db, company.id, field, { order: 7 }, now())),
  'a new conversation': ({ company }, { contact }) => company.conversation({ caller_id: contact }),
  'a new webhook': ({ company }) => company.webhook({ entity_id: 2, action_id: 1 }),
  'the update of a webhook': ({ api }, { webhook }) =>
    api.updateWebhook(webhook, {
      verb_id: 3,
      entity_id: 2,
      action_id: 1,
      url: 'https://hooks.example.com/b',
    }),
  'the deletion of a webhook': ({ api }, { webhook }) => api.deleteWebhook(webhook),
  'a new message': ({ api }, { conversation }) =>
    api.createMessage({ conversation_id: conversation, type: 'text', payload: 'x' }),
  'the end of a conversation': ({ store, company, now }, { conversation }) =>
    store.write((db) => closeConversation(db, { companyId: company.id, id: conversation, now: now() })),
  'the change of a message': ({ store, company, now }, { message }) =>
    store.write((db) => editMessage(db, { companyId: company.id, id: message, now: now() }, 'y')),
};

/** The operations that wait for each lock. Operations that are not listed do not wait. */
const waits: Record<string, string[]> = {
  'a write of a token': ['a revocation', 'the erasure of a company'],
  'the revocation of a token': [
    'a revocation',
    'the erasure of a company',
    'the creation of a contact',
    'the update of a contact',
    'a new webhook',
    'the update of a webhook',
    'the deletion of a webhook',
    'a new message',
  ],
  'the definitions of fields': [
    'the creation of a contact',
    'the update of a contact',
    'the deletion of a contact',
    'an import',
    'a new field',
    'the change of a field',
    'a new conversation',
    'a new webhook',
  ],
  'a company': [
    'the creation of a contact',
    'an import',
    'a new field',
    'the change of a field',
    'a new conversation',
    'a new webhook',
  ],
  'a contact': ['the update of a contact', 'the deletion of a contact'],
  'a conversation': ['a new message', 'the end of a conversation', 'the change of a message'],
  // The update of a contact locks the webhooks that subscribe to its event.
  'a webhook': ['the update of a webhook', 'the deletion of a webhook', 'the update of a contact'],
};

const pairs = Object.keys(holds).flatMap((held) =>
  Object.keys(actions).map((asked): [string, string] => [held, asked]),
);

let service: Service;
beforeAll(async () => {
  service = await startService({ onCleanup: afterAllTests });
});
/** Runs an action of a new company while a lock is held. @returns `waits`, or `done` before the lock is released */
async function whileLocked(hold: Hold, ask: Ask, patienceMs: number): Promise<string> {
  const company = await service.addCompany();
  const of = await createFixtures(company);
  const release = await holdLock(service.store, (db) => hold(db, company.id, of));
  const asking = ask({ ...service, company, api: company.api }, of).then(() => 'done');
  const first = await Promise.race([asking, wait(patienceMs, 'waits')]);
  await release();
  expect(await asking).toBe('done');
  return first;
}

test.each(pairs)('while %s is locked, %s waits only if it depends on the same data', async (held, asked) => {
  const [hold, ask] = [holds[held], actions[asked]];
  if (!hold || !ask) throw new Error('There is no such pair.');
  const mustWait = waits[held]?.includes(asked) ?? false;
  expect(await whileLocked(hold, ask, mustWait ? 150 : 60_000)).toBe(mustWait ? 'waits' : 'done');
});

/** Create operations that do not lock the company: messages are ordered by the lock of their conversation. */
const orderedOtherwise = ['createMessage'];
const creates = operationIds.filter(
  (id) => operations[id].method === 'post' && !orderedOtherwise.includes(id),
);

test.each(creates)(
  '%s waits for the lock of its company, so that pagination misses no row (D19)',
  async (id) => {
    const create: Ask = async ({ api }, of) => expect((await sendValid(api, id, of)).status).toBe(201);
    const first = await whileLocked(lockCompany, create, 300);
    expect(first, `${id} must call lockCompany before it inserts`).toBe('waits');
  },
);
