import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Updateable } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  clearNewFlags,
  insertMany,
  listClaims,
  listExistingIds,
} from '../../../../server/storage/queries/bulk.ts';
import { countCompanyData } from '../../../../server/storage/queries/companies.ts';
import {
  eraseBatch,
  listAllContacts,
  listAllConversations,
  listAllMessages,
  ownedTables,
} from '../../../../server/storage/queries/company-data.ts';
import { countMatches, searchContactRows } from '../../../../server/storage/queries/contact-search.ts';
import {
  deleteFieldValues,
  findContact,
  findContactForUpdate,
  findUniqueValueHolder,
  listContactRows,
  updateContactRow,
} from '../../../../server/storage/queries/contacts.ts';
import {
  countConversations,
  findConversation,
  findConversationForUpdate,
  listConversationRows,
  lockConversations,
  updateConversationRow,
} from '../../../../server/storage/queries/conversations.ts';
import { findCreatedBetween } from '../../../../server/storage/queries/created-between.ts';
import {
  changeState,
  countDeliveries,
  findDelivery,
  listDeliveries,
  listDeliveriesAfter,
  purgeDeliveries,
  replayDeliveries,
} from '../../../../server/storage/queries/deliveries.ts';
import {
  createdSince,
  eraseImportKeys,
  eraseRows,
  eraseStoredResponses,
  lastMessageChangeAt,
  listAging,
  listConversationsOf,
  listMessagesOf,
  listStoredResponses,
  rowExists,
} from '../../../../server/storage/queries/erasure.ts';
import {
  deleteFieldValue,
  freeValues,
  freeValuesOfContact,
  listContactsWithField,
  listFields,
  listValuesOfField,
  updateFieldRow,
} from '../../../../server/storage/queries/fields.ts';
import {
  findIdempotencyKey,
  purgeIdempotencyKeyBefore,
  purgeOldIdempotencyKeys,
  storeResponse,
} from '../../../../server/storage/queries/idempotency-keys.ts';
import { findImportKeys, insertImportKeys } from '../../../../server/storage/queries/import-keys.ts';
import {
  findMessage,
  findMessageForUpdate,
  listMessages,
  listNewestSizes,
  updateMessageRow,
} from '../../../../server/storage/queries/messages.ts';
import {
  deleteErasedDeliveries,
  eraseClaimedDeliveries,
  eraseDeliveries,
  hasDeliveries,
  listRevokedLeases,
} from '../../../../server/storage/queries/revoked-deliveries.ts';
import {
  findToken,
  findTokenValidity,
  listTokens,
  noteTokenUse,
  revokeToken,
  setTokenLimit,
} from '../../../../server/storage/queries/tokens.ts';
import {
  endSettling,
  lockUnsettled,
  unsettle,
} from '../../../../server/storage/queries/unsettled-webhooks.ts';
import {
  countWebhooks,
  findWebhook,
  findWebhookForUpdate,
  hideWebhooks,
  listWebhooks,
  listWebhooksOfToken,
  lockWebhooksForEvent,
  restoreWebhookState,
  takeSequences,
  updateWebhookRow,
} from '../../../../server/storage/queries/webhooks.ts';
import type { Database } from '../../../../server/storage/store.ts';
import type { DeliveryTable } from '../../../../server/storage/tables/deliveries.ts';
import { onPostgres } from '../../../support/databases.ts';
import { dumpTables } from '../../../support/dump-tables.ts';
import { createCompany, startService } from '../../../support/service.ts';
import type { OnCleanup } from '../../../support/temporary-folder.ts';

/** Creates a company with data (`theirs`), and another company (`ours`) that must not read or change this data. */
async function twoCompanies(onCleanup: OnCleanup = onTestFinished) {
  const service = await startService({ onCleanup });
  const { store, base, company: theirs } = service;
  const ours = await createCompany(store, base);
  const field = await theirs.field({ isUnique: true });
  const created = await theirs.api.createContact(
    { first_name: 'Ada', fields: [{ id: field.id, value: 'A' }] },
    { 'idempotency-key': 'k' },
  );
  const conversation = await theirs.conversation({ caller_id: created.body.id });
  const message = await theirs.message(conversation);
  const webhook = await theirs.webhook({ entity_id: 2, action_id: 1 });
  const [creator] = await store.read((db) => listWebhooks(db, theirs.id));
  const toldId = await theirs.contact();
  const importKey = { company_id: theirs.id, kind: 'contact', key: 'k', id: created.body.id } as const;
  await store.write((db) => insertImportKeys(db, [importKey]));
  await store.write((db) => unsettle(db, theirs.id, webhook));
  const token = await theirs.token();
  return {
    ...service,
    theirs,
    ours,
    fieldId: field.id,
    contactId: created.body.id as number,
    tokenId: token.id,
    creatorId: creator?.created_by_token ?? Number.NaN,
    conversationId: conversation.id,
    messageId: message.id,
    webhookId: webhook,
    /** The ID of the contact whose creation enqueued an event. */
    toldId,
  };
}

type Two = Awaited<ReturnType<typeof twoCompanies>>;

/** Companies that no test changes: tests of queries share them. */
let shared: Two;

beforeAll(async () => {
  shared = await twoCompanies((end) => afterAll(end));
  // The service records the use of the token in the background. That must end before tables are compared.
  const tokenInUse = () =>
    shared.store.read((db) =>
      db.selectFrom('tokens').select('id').where('last_used_at', 'is not', null).executeTakeFirst(),
    );
  await vi.waitFor(async () => expect(await tokenInUse()).toBeDefined(), 60_000);
});

test('the other company has rows in every table, so that each test below could find them', async () => {
  const { store, theirs } = shared;
  const rows = Object.entries(await store.read((db) => dumpTables(db)));
  const empty = rows.filter(
    ([, found]) => !found.some((row) => 'company_id' in row && row.company_id === theirs.id),
  );
  expect(
    empty.map(([table]) => table),
    'Tables that twoCompanies must fill',
  ).toEqual([]);
});

/** Returns the digest of the other company's unique value. */
async function uniqueDigestIn(db: Database, { theirs }: Two): Promise<Uint8Array> {
  const { unique_digest } = await db
    .selectFrom('field_values')
    .select('unique_digest')
    .where('company_id', '=', theirs.id)
    .executeTakeFirstOrThrow();
  return unique_digest ?? new Uint8Array();
}

const leaseAll = (db: Database, companyId: number, lease: Updateable<DeliveryTable>) =>
  db.updateTable('deliveries').set(lease).where('company_id', '=', companyId).execute();

const writes: [string, (db: Database, two: Two) => Promise<unknown>][] = [
  ['updateFieldRow', (db, { ours, fieldId }) => updateFieldRow(db, ours.id, fieldId, { name: 'Mine now' })],
  ['freeValues', (db, { ours, fieldId }) => freeValues(db, ours.id, fieldId)],
  ['freeValuesOfContact', (db, { ours, contactId }) => freeValuesOfContact(db, ours.id, contactId)],
  [
    'updateContactRow',
    (db, { ours, contactId }) => updateContactRow(db, ours.id, contactId, { status: 'online' }),
  ],
  ['deleteFieldValues', (db, { ours, contactId }) => deleteFieldValues(db, ours.id, contactId)],
  [
    'updateConversationRow',
    (db, { ours, conversationId }) => updateConversationRow(db, ours.id, conversationId, { is_closed: 1 }),
  ],
  ['updateMessageRow', (db, { ours, messageId }) => updateMessageRow(db, ours.id, messageId, { read: 1 })],
  [
    'restoreWebhookState',
    async (db, { ours, webhookId }) => {
      const { created_at } = await db
        .selectFrom('webhooks')
        .select('created_at')
        .where('id', '=', webhookId)
        .executeTakeFirstOrThrow();
      const secrets = {
        secret: new Uint8Array(1),
        previous_secret: null,
        previous_secret_until: null,
        last_sequence: 9,
      };
      await restoreWebhookState(db, { company_id: ours.id, id: webhookId, created_at, ...secrets });
    },
  ],
  [
    'updateWebhookRow',
    (db, { ours, webhookId }) => updateWebhookRow(db, ours.id, webhookId, { deleted_at: 1 }),
  ],
  ['hideWebhooks', (db, { ours }) => hideWebhooks(db, ours.id, 1)],
  ['endSettling', (db, { ours, webhookId }) => endSettling(db, ours.id, webhookId)],
  [
    'changeState',
    (db, { ours, webhookId }) =>
      changeState(db, { company_id: ours.id, id: webhookId }, { sequences: [1], change: 'cancel', now: 1 }),
  ],
  [
    'replayDeliveries',
    (db, { ours, webhookId }) =>
      replayDeliveries(db, ours.id, webhookId, { sequences: [1], type: 'contact.created', now: 9 }),
  ],
  [
    'purgeDeliveries',
    async (db, { ours, webhookId }) => {
      // Only completed deliveries can be purged, so all deliveries are marked as delivered during the call.
      await db.updateTable('deliveries').set({ state: 'delivered' }).execute();
      await purgeDeliveries(db, ours.id, webhookId, [1]);
      await db.updateTable('deliveries').set({ state: 'waiting' }).execute();
    },
  ],
  [
    'deleteFieldValue',
    (db, { ours, contactId, fieldId }) => deleteFieldValue(db, ours.id, { contactId, fieldId }),
  ],
  ['clearNewFlags', (db, { ours, conversationId }) => clearNewFlags(db, ours.id, [conversationId])],
  ['takeSequences', (db, { ours, webhookId }) => takeSequences(db, ours.id, [webhookId])],
  ['revokeToken', (db, { ours, tokenId }) => revokeToken(db, ours.id, tokenId, 1)],
  ['setTokenLimit', (db, { ours, tokenId }) => setTokenLimit(db, ours.id, tokenId, 1)],
  ['noteTokenUse', (db, { ours, tokenId }) => noteTokenUse(db, ours.id, tokenId, 1)],
  [
    'purgeIdempotencyKeyBefore',
    (db, { ours }) => purgeIdempotencyKeyBefore(db, ours.id, 'k', Number.MAX_SAFE_INTEGER),
  ],
  [
    'purgeOldIdempotencyKeys',
    (db, { ours }) => purgeOldIdempotencyKeys(db, ours.id, { before: Number.MAX_SAFE_INTEGER, limit: 9 }),
  ],
  [
    'eraseRows',
    async (db, { ours, contactId, conversationId, messageId }) => {
      await eraseRows(db, ours.id, 'message', [messageId]);
      await eraseRows(db, ours.id, 'conversation', [conversationId]);
      await eraseRows(db, ours.id, 'contact', [contactId]);
    },
  ],
  ['eraseImportKeys', (db, { ours, contactId }) => eraseImportKeys(db, ours.id, 'contact', [contactId])],
  ['eraseDeliveries', (db, { ours, toldId }) => eraseDeliveries(db, ours.id, 'contact', [toldId])],
  [
    'eraseClaimedDeliveries',
    async (db, { ours, theirs }) => {
      await leaseAll(db, theirs.id, { leased_by: 'w', leased_until: 1 });
      expect(await eraseClaimedDeliveries(db, ours.id)).toEqual([]);
      await leaseAll(db, theirs.id, { leased_by: null, leased_until: null });
    },
  ],
  [
    'listRevokedLeases',
    async (db, { ours, theirs }) => {
      await leaseAll(db, theirs.id, { leased_by: 'w', leased_until: 1, state: 'ended' });
      expect(await listRevokedLeases(db, ours.id)).toEqual([]);
      await leaseAll(db, theirs.id, { leased_by: null, leased_until: null, state: 'waiting' });
    },
  ],
  [
    'deleteErasedDeliveries',
    (db, { ours, webhookId }) =>
      deleteErasedDeliveries(db, ours.id, [{ companyId: ours.id, webhookId, sequence: 1 }]),
  ],
  ['eraseStoredResponses', (db, { ours }) => eraseStoredResponses(db, ours.id, ['k'])],
  [
    'eraseBatch',
    async (db, { ours }) => {
      for (const table of ownedTables) if (table !== 'tokens') await eraseBatch(db, ours.id, table);
    },
  ],
  ['storeResponse', (db, { ours }) => storeResponse(db, ours.id, 'k', { status: 1, headers: '', body: '' })],
];

test.each(writes)("%s does not change another company's data", async (_name, write) => {
  const before = await shared.store.read((db) => dumpTables(db));
  await shared.store.write((db) => write(db, shared));
  expect(await shared.store.read((db) => dumpTables(db))).toEqual(before);
});

const all = {
  includeAnonymous: true,
  from: undefined,
  to: undefined,
  order: 'asc',
  limit: 9,
  offset: 0,
} as const;

const reads: [string, (db: Database, two: Two) => Promise<unknown>, unknown][] = [
  ['hasDeliveries', (db, { ours }) => hasDeliveries(db, ours.id), false],
  ['rowExists', (db, { ours, contactId }) => rowExists(db, ours.id, 'contact', contactId), false],
  [
    'createdSince',
    (db, { ours, contactId }) => createdSince(db, ours.id, 'contact', { ids: [contactId], timestamp: 0 }),
    [],
  ],
  ['listAging', (db, { ours }) => listAging(db, ours.id, 'contact', 0), []],
  [
    'lastMessageChangeAt',
    (db, { ours, conversationId }) => lastMessageChangeAt(db, ours.id, conversationId),
    0,
  ],
  ['listConversationsOf', (db, { ours, contactId }) => listConversationsOf(db, ours.id, contactId), []],
  ['listMessagesOf', (db, { ours, conversationId }) => listMessagesOf(db, ours.id, [conversationId]), []],
  ['listStoredResponses', (db, { ours }) => listStoredResponses(db, ours.id, ''), []],
  ['listAllContacts', (db, { ours }) => listAllContacts(db, ours.id, 0), []],
  ['listAllConversations', (db, { ours }) => listAllConversations(db, ours.id, 0), []],
  ['listAllMessages', (db, { ours }) => listAllMessages(db, ours.id, 0), []],
  ['findContact', (db, { ours, contactId }) => findContact(db, ours.id, contactId), undefined],
  ['listContactRows', (db, { ours }) => listContactRows(db, { companyId: ours.id, ...all }), []],
  ['listFields', (db, { ours }) => listFields(db, ours.id), []],
  ['listValuesOfField', (db, { ours, fieldId }) => listValuesOfField(db, ours.id, fieldId), []],
  [
    'searchContactRows',
    (db, { ours }) => searchContactRows(db, { companyId: ours.id, anyOf: [['ada']], limit: 9, offset: 0 }),
    [],
  ],
  ['listContactsWithField', (db, { ours, fieldId }) => listContactsWithField(db, ours.id, fieldId, 9), []],
  ['countMatches', (db, { ours }) => countMatches(db, { companyId: ours.id, anyOf: [['ada']] }), 0],
  [
    'findConversation',
    (db, { ours, conversationId }) => findConversation(db, ours.id, conversationId),
    undefined,
  ],
  ['listConversationRows', (db, { ours }) => listConversationRows(db, { companyId: ours.id, ...all }), []],
  ['countConversations', (db, { ours }) => countConversations(db, { companyId: ours.id, ...all }), 0],
  ['findMessage', (db, { ours, messageId }) => findMessage(db, ours.id, messageId), undefined],
  [
    'listNewestSizes',
    (db, { ours, conversationId }) =>
      listNewestSizes(db, ours.id, [conversationId], { most: 9, before: 9_999 }),
    [],
  ],
  [
    'listMessages',
    (db, { ours, conversationId }) => listMessages(db, ours.id, [{ conversationId, from: 1, before: 9_999 }]),
    [],
  ],
  ['findWebhook', (db, { ours, webhookId }) => findWebhook(db, ours.id, webhookId), undefined],
  ['listWebhooks', (db, { ours }) => listWebhooks(db, ours.id), []],
  ['listWebhooksOfToken', (db, { ours, creatorId }) => listWebhooksOfToken(db, ours.id, creatorId), []],
  ['findToken', (db, { ours, tokenId }) => findToken(db, ours.id, tokenId), undefined],
  ['findTokenValidity', (db, { ours, tokenId }) => findTokenValidity(db, ours.id, tokenId), undefined],
  ['countWebhooks', (db, { ours }) => countWebhooks(db, ours.id), 0],
  ['listDeliveries', (db, { ours, webhookId }) => listDeliveries(db, { companyId: ours.id, webhookId }), []],
  ['countDeliveries', (db, { ours, webhookId }) => countDeliveries(db, ours.id, webhookId), {}],
  ['findDelivery', (db, { ours, webhookId }) => findDelivery(db, ours.id, webhookId, 1), undefined],
  [
    'listDeliveriesAfter',
    (db, { ours, webhookId }) => listDeliveriesAfter(db, ours.id, webhookId, { after: 0, limit: 9 }),
    [],
  ],
  ['findImportKeys', (db, { ours }) => findImportKeys(db, ours.id, 'contact', ['k']), new Map()],
  [
    'listExistingIds',
    (db, { ours, contactId }) => listExistingIds(db, 'contacts', ours.id, [contactId]),
    new Set(),
  ],
  [
    'listClaims',
    async (db, two) => listClaims(db, two.ours.id, two.fieldId, [await uniqueDigestIn(db, two)]),
    [],
  ],
  [
    'findUniqueValueHolder',
    async (db, two) => {
      const value = { fieldId: two.fieldId, uniqueDigest: await uniqueDigestIn(db, two) };
      expect(await findUniqueValueHolder(db, { ...value, companyId: two.theirs.id })).toBe(two.contactId);
      return findUniqueValueHolder(db, { ...value, companyId: two.ours.id });
    },
    undefined,
  ],
  [
    'countCompanyData',
    async (db, { ours }) => Object.values(await countCompanyData(db, ours.id)).filter((count) => count > 0),
    [],
  ],
  [
    'listTokens',
    async (db, { ours, tokenId }) => (await listTokens(db, ours.id)).filter(({ id }) => id === tokenId),
    [],
  ],
  ['findIdempotencyKey', (db, { ours }) => findIdempotencyKey(db, ours.id, 'k'), undefined],
];

test.each(reads)("%s does not find another company's data", async (_name, read, nothing) => {
  expect(await shared.serviceStore.read((db) => read(db, shared))).toEqual(nothing);
});

test("a list with a date range does not contain other companies' contacts from the same days", async () => {
  const { theirs, ours } = await twoCompanies();
  for (let count = 0; count < 3; count += 1) {
    await theirs.contact();
    await ours.contact();
  }
  for (const order of ['asc', 'desc']) {
    const { body } = await ours.api.listContacts(
      `?date_from=2000-01-01T00:00:00Z&include_anonymous=true&per_page=3&order=${order}`,
    );
    expect(body).toHaveLength(3);
  }
});

test("other companies' old contacts do not extend the time range that a query searches", async () => {
  const { store, theirs, ours } = await twoCompanies();
  await ours.contact();
  await store.write((db) =>
    db.updateTable('contacts').set({ created_at: 1 }).where('company_id', '=', theirs.id).execute(),
  );
  const within = { table: 'contacts', companyId: ours.id, from: 0, to: undefined } as const;
  const page = { order: 'asc', limit: 100, offset: 0 } as const;
  const found = await store.read((db) => findCreatedBetween(db, { ...within, includeAnonymous: true }, page));
  expect(found).toHaveLength(1);
});

test("eraseBatch deletes one company's idempotency keys, and keeps equal keys of other companies", async () => {
  const { store, theirs, ours } = await twoCompanies();
  await ours.api.createContact({ first_name: 'Ada' }, { 'idempotency-key': 'k' });
  await store.write(async (db) => {
    const row = await findIdempotencyKey(db, theirs.id, 'k');
    if (!row) throw new Error('There is no such key.');
    const others = Array.from({ length: 1_000 }, (_, at) => ({ ...row, key: `a${at}` }));
    await db.insertInto('idempotency_keys').values(others).execute();
    expect(await eraseBatch(db, ours.id, 'idempotency_keys')).toBe(1);
    expect(await findIdempotencyKey(db, theirs.id, 'k')).toEqual(row);
  });
});

const holds: [string, (db: Database, two: Two) => Promise<unknown>][] = [
  ['findContactForUpdate', (db, { ours, contactId }) => findContactForUpdate(db, ours.id, contactId)],
  [
    'findConversationForUpdate',
    (db, { ours, conversationId }) => findConversationForUpdate(db, ours.id, conversationId),
  ],
  ['lockConversations', (db, { ours, conversationId }) => lockConversations(db, ours.id, [conversationId])],
  ['findMessageForUpdate', (db, { ours, messageId }) => findMessageForUpdate(db, ours.id, messageId)],
  ['findWebhookForUpdate', (db, { ours, webhookId }) => findWebhookForUpdate(db, ours.id, webhookId)],
  ['lockUnsettled', (db, { ours, webhookId }) => lockUnsettled(db, ours.id, webhookId)],
  [
    'lockWebhooksForEvent',
    async (db, { ours }) => (await lockWebhooksForEvent(db, ours.id, { entityId: 2, actionId: 1 }))[0],
  ],
];

test.each(holds)("%s does not lock another company's rows", async (_name, hold) => {
  expect(await shared.store.write((db) => hold(db, shared))).toBeUndefined();
});

// SQLite has a single writer, so one transaction always waits for another.
test.runIf(onPostgres).each(holds)('%s does not wait for another company', async (_name, hold) => {
  await shared.store.write(async (held) => {
    await hold(held, { ...shared, ours: shared.theirs });
    expect(await shared.store.write((db) => hold(db, shared))).toBeUndefined();
  });
});

test('a deleted contact does not appear in responses, total counts or the values of a field', async () => {
  const { store, theirs, contactId, fieldId } = await twoCompanies();
  await store.write((db) => db.updateTable('contacts').set({ deleted_at: 1 }).execute());
  expect(await theirs.api.getContact(contactId)).toBeApiError(404, 40401);
  expect((await theirs.api.listContacts('?include_anonymous=true')).body).toEqual([]);
  expect((await theirs.api.listContacts('', { prefer: 'count=exact' })).headers.get('x-total-count')).toBe(
    '0',
  );
  expect(await store.read((db) => listValuesOfField(db, theirs.id, fieldId))).toEqual([]);
});

test('revoking a token again keeps the time of the first revocation', async () => {
  const { store, theirs, tokenId } = await twoCompanies();
  const revoke = (now: number) => store.write((db) => revokeToken(db, theirs.id, tokenId, now));
  expect([await revoke(5), await revoke(9)]).toEqual([true, false]);
  const tokens = await store.read((db) => listTokens(db, theirs.id));
  expect(tokens.find(({ id }) => id === tokenId)?.revoked_at).toBe(5);
});

test("a conversation and a message cannot refer to another company's contact or conversation", async () => {
  const { store, ours, contactId, conversationId } = await twoCompanies();
  const timestamps = { created_at: 1, updated_at: 1, deleted_at: null };
  const conversation = store.write((db) =>
    insertMany(db, 'conversations', [
      {
        company_id: ours.id,
        caller_id: contactId,
        user_id: null,
        team_id: null,
        service: 'mail',
        webchat_socket_channel: null,
        new: 1,
        is_closed: 0,
        archived: null,
        chatbot_enabled: 0,
        no_matches_count: 0,
        out_of_office_replied: 0,
        ...timestamps,
      },
    ]),
  );
  await expect(conversation).rejects.toThrow(/foreign key/i);
  const message = store.write((db) =>
    insertMany(db, 'messages', [
      {
        company_id: ours.id,
        conversation_id: conversationId,
        user_id: null,
        type: 'text',
        payload: 'x',
        payload_bytes: 1,
        new: 1,
        read: 0,
        ...timestamps,
      },
    ]),
  );
  await expect(message).rejects.toThrow(/foreign key/i);
});

// Queries that are exempt from the tests above, with the reason.
const exempt: Record<string, string> = {
  analyzeTables: 'Statistics of the database.',
  claimFieldValues: 'The inserted rows contain the company.',
  claimIdempotencyKey: 'The inserted row contains the company.',
  contactsIn: 'Converts rows.',
  contactsOf: 'Part of a query.',
  countContacts: 'Tested by totals of lists.',
  releaseAllLeases: 'A restore releases the leases of all workers.',
  disableAllWebhooks: 'A restore can disable the webhooks of all companies.',
  eraseCompanyRow: 'The company itself.',
  findCompany: 'The company itself.',
  findCreatedBetween: 'Tested by lists of a time range above.',
  advanceIds: 'A restore advances the IDs of all companies.',
  findErasable: 'Reads the list of erasures.',
  findErasure: 'Reads the list of erasures, which outlives companies.',
  findTokenByDigest: 'The token determines the company.',
  hasCompanies: 'Reads only whether any company exists.',
  hasHadCompanies: 'Reads only whether any company exists or existed.',
  lastAssignedId: 'IDs are unique across companies.',
  listUnsettled: 'A worker query.',
  unsettle: 'The inserted row contains the company.',
  unsettleAgain: 'The inserted row contains the company.',
  listAllWebhooks: 'Restores and backups carry the state of all webhooks over.',
  listCompanies: 'Lists the companies.',
  listContactsWithoutSearchText: 'A background job for all companies.',
  listDeletedFields: 'A background job for all companies.',
  listAuditRecords: 'Operators list the records of all companies.',
  listErasures: 'The list of erasures outlives companies.',
  listSealedResponses: 'Key rotation for all companies.',
  listSealedWebhooks: 'Key rotation for all companies.',
  purgeAuditRecords: 'Old records of all companies.',
  raiseIdSequence: 'IDs are unique across companies.',
  recordErasure: 'The list of erasures outlives companies.',
  replaceResponseHeaders: 'Key rotation for all companies.',
  replaceWebhookSecrets: 'Key rotation for all companies.',
  revokeAllTokens: 'A restore can revoke the tokens of all companies.',
  setCompanyLimit: 'The company itself.',
  withValues: 'Part of a query.',
  // Workers serve all companies.
  expireLeases: 'A worker query.',
  findClaimed: 'A worker query.',
  findDue: 'A worker query.',
  hasDueDeliveries: 'A worker query.',
  leaseDeliveries: 'A worker query.',
  listEnabled: 'A worker query.',
  listRevoked: 'A worker query.',
  listWaiting: 'A worker query.',
  waitingWebhooks: 'A worker query.',
  queueStats: 'A metric of the queue.',
  recordOutcomes: 'A worker query.',
  releaseLeases: 'A worker query.',
  renewLeases: 'A worker query.',
  repairFutureDates: 'A worker query.',
};

test('every query is tested with another company in this file, or listed as exempt with a reason', async () => {
  const folder = resolve('server/storage/queries');
  const modules = readdirSync(folder).map(async (file) => Object.entries(await import(join(folder, file))));
  const functions = (await Promise.all(modules)).flat().filter(([, value]) => typeof value === 'function');
  const names = functions.map(([name]) => name).filter((name) => !name.startsWith('insert'));
  const tested = new Set([...writes, ...reads, ...holds].map(([name]) => name));
  const missing = names.filter((name) => !tested.has(name) && !Object.hasOwn(exempt, name));
  expect(missing, 'Queries that writes, reads, holds or exempt must name').toEqual([]);
  expect(Object.keys(exempt).filter((name) => !names.includes(name))).toEqual([]);
});
