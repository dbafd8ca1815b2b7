import { beforeAll, expect, test } from 'vitest';
import { eraseContact } from '../../../server/features/privacy/erase-contact.ts';
import { engineOf } from '../../../server/storage/engine.ts';
import { insertCompany } from '../../../server/storage/queries/companies.ts';
import {
  expireLeases,
  findClaimed,
  hasDueDeliveries,
  leaseDeliveries,
  listEnabled,
  listRevoked,
  listWaiting,
  recordOutcomes,
} from '../../../server/storage/queries/delivery-queue.ts';
import { lockWebhooksForEvent } from '../../../server/storage/queries/webhooks.ts';
import type { Store } from '../../../server/storage/store.ts';
import { type ApiClient, createApiClient } from '../../support/api-client.ts';
import { onPostgres } from '../../support/databases.ts';
import { checkStatements, explainStatements } from '../../support/explain-statements.ts';
import { recordingStore, type Statements } from '../../support/record-statements.ts';
import { startService } from '../../support/service.ts';
import { afterAllTests, type OnCleanup } from '../../support/temporary-folder.ts';
import { createFixtures } from '../own-contract/valid-requests.ts';
import { emptyStore } from './empty-store.ts';

/** Starts a service whose statements are recorded. Its company 1 has one object of each kind. */
async function startRecorded(options: { onCleanup?: OnCleanup } = {}) {
  const { company, database } = await startService(options);
  await createFixtures(company);
  const { token } = await company.token();
  const statements: Statements = new Map();
  const storeFor = (store: Store) => recordingStore(store, statements);
  // A service of its own, because SQLite's prepared statements are recorded only once.
  const service = await startService({ ...options, database, storeFor });
  return {
    ...{ database, statements, company },
    api: createApiClient(service.base, token),
    store: storeFor(service.store),
  };
}

type Recorded = Awaited<ReturnType<typeof startRecorded>>;

let large: Recorded;

/** PostgreSQL prefers indexes to table scans only in tables with many rows. */
beforeAll(async () => {
  if (!onPostgres) return;
  large = await startRecorded({ onCleanup: afterAllTests });
  const { store, database } = large;
  for (const name of ['B', 'C']) await store.write((db) => insertCompany(db, { name, created_at: 1 }));
  await database.executeSql(`
    insert into contacts (company_id, first_name, status, from_integration, from_whatsapp, from_email, is_anonymous,
        search_text, created_at, updated_at)
      select 1 + n % 3, 'Ada', 'online', 0, 0, 0, (n % 10 = 0)::int, 'ada li' || n, n, n from generate_series(1, 30000) n;
    insert into conversations (company_id, caller_id, service, new, is_closed, chatbot_enabled, no_matches_count,
        out_of_office_replied, created_at, updated_at)
      select company_id, id, 'mail', 0, 0, 0, 0, 0, created_at, created_at from contacts where id % 3 = 0 or id % 20 = 0;
    insert into messages (company_id, conversation_id, type, payload, payload_bytes, new, read, created_at, updated_at)
      select c.company_id, c.id, 'text', 'x', 3, 0, 0, 1, 1 from conversations c, generate_series(1, 3);
    insert into webhooks (company_id, verb_id, entity_id, action_id, url, secret, last_sequence, created_at, updated_at)
      select 1 + n % 3, 3, 1, 1 + n % 6, 'https://a', '', 0, 1, 1 from generate_series(1, 300) n;
    insert into deliveries (company_id, webhook_id, sequence, type, data_id, state, created_at)
      select company_id, id, n, 'x', 1, 'waiting', 1 from webhooks, generate_series(2, 50) n;
    insert into tokens (company_id, user_id, name, digest, scopes, created_at, expires_at)
      select 1 + n % 3, 1, '', decode(md5(n::text), 'hex'), 'contacts:read', 1, 2 from generate_series(1, 3000) n`);
  await database.executeSql('vacuum analyze');
});

const largeScan = /^Seq Scan (contacts|conversations|messages)$/m;

/** Returns the steps of the plans of the statements that a callback runs, one per line. */
async function stepsOf(ask: (api: ApiClient, service: Recorded) => Promise<unknown>): Promise<string> {
  const service = onPostgres ? large : await startRecorded();
  const { statements, database, api } = service;
  statements.clear();
  await ask(api, service);
  await checkStatements(database.url, statements);
  const plans = await explainStatements(database.url, [...statements.values()], true);
  expect(plans.size).toBe(statements.size);
  const steps = [...plans.values()].flatMap((plan) => plan.steps).join('\n');
  expect(steps).not.toMatch(largeScan);
  return steps;
}

// Those that `beforeAll` inserts are from 1970.
const range = 'date_from=1970-01-01T00:00:00.005Z&date_to=1970-01-01T00:00:20Z';
const since = onPostgres ? range : 'date_from=2000-01-01T00:00:00Z';
const counted = { prefer: 'count=exact' };

/** Reads, each with the index that it must use, and the condition that SQLite explains. */
const reads: [what: string, index: RegExp, ask: Parameters<typeof stepsOf>[0]][] = [
  ['a list', /contacts_with_a_name/, (api) => api.listContacts()],
  [
    'a list with anonymous contacts',
    /sqlite_autoindex_contacts_1|contacts_of_company/,
    (api) => api.listContacts('?include_anonymous=true'),
  ],
  [
    'a range of dates',
    onPostgres ? /contacts_by_span/ : /INDEX contacts_by_span \(company_id=\? AND <expr>=\? AND id>\?\)/,
    (api) => api.listContacts(`?${since}`),
  ],
  ['the ends of a range of dates', /contacts_by_creation/, (api) => api.listContacts(`?${range}`)],
  ['a count', /contacts_with_a_name/, (api) => api.listContacts('', counted)],
  ['a search', /contacts_search/, (api) => api.searchContacts('ada li2345')],
  [
    'the conversations',
    /sqlite_autoindex_conversations_1|conversations_of_company/,
    (api) => api.listConversations(),
  ],
  [
    'conversations of a range of dates',
    onPostgres
      ? /conversations_by_span/
      : /INDEX conversations_by_span \(company_id=\? AND <expr>=\? AND id>\?\)/,
    (api) => api.listConversations(`?${since}`),
  ],
  [
    'a conversation',
    /COVERING INDEX messages_of_conversation|messages_(of|by)_conversation$/m,
    (api) => api.getConversation(1),
  ],
  [
    'the webhooks of an event',
    /webhooks_by_event/,
    (_api, { store }) => store.write((db) => lockWebhooksForEvent(db, 1, { entityId: 1, actionId: 1 })),
  ],
];

test.each(reads)('uses the expected index for %s', async (_what, index, ask) => {
  expect(await stepsOf(ask)).toMatch(index);
});

test.runIf(!onPostgres)('erasing a contact finds its data by indexes', async () => {
  const steps = await stepsOf((_api, { store }) => eraseContact(store, 1, 1, { now: Date.now() }));
  for (const index of [
    'conversations_of_caller (company_id=? AND caller_id=?)',
    'messages_by_conversation (company_id=? AND conversation_id=?)',
    'deliveries_by_entity (company_id=? AND data_id=?)',
    'import_keys_by_id (company_id=? AND kind=? AND id=?)',
  ])
    expect(steps).toMatch(index);
});

/** Runs every query that a worker sends to the delivery queue, with a current time of 9 ms. */
const runWorkerQueries = (store: Store): Promise<void> =>
  store.write(async (db) => {
    await hasDueDeliveries(db, 9);
    await expireLeases(db, 9);
    const waiting = await listWaiting(db, { companyId: 0, webhookId: 0 }, 20);
    await listEnabled(db, waiting);
    const due = await engineOf(db).findDue(
      db,
      waiting.map((key) => ({ ...key, share: 2 })),
      9,
    );
    await leaseDeliveries(db, due, { worker: 'w', until: 100 });
    await findClaimed(db, 'w', due);
    await listRevoked(db, 'w');
    const settlements = due.map(({ companyId, webhookId, sequence }) => ({
      companyId,
      webhookId,
      sequence,
      state: 'delivered' as const,
      dueAt: null,
      attempts: 1,
      log: '[]',
    }));
    await recordOutcomes(db, 'w', settlements);
  });

const indexesOfQueue = onPostgres
  ? ['deliveries_due', 'deliveries_of_webhook_due', 'deliveries_key']
  : [
      'deliveries_due (due_at<?)',
      'deliveries_of_webhook_due (company_id=? AND webhook_id>?)',
      'deliveries_of_webhook_due (company_id=? AND webhook_id=? AND due_at<?)',
      'deliveries_of_entity (company_id=? AND webhook_id=? AND data_id=? AND sequence<?)',
      'deliveries_leased (company_id=? AND webhook_id=? AND data_id=?)',
      'sqlite_autoindex_deliveries_1 (company_id=? AND webhook_id=? AND sequence=?)',
    ];

test('queries of the delivery queue use indexes', async () => {
  const steps = await stepsOf(async (_api, { company, database, store }) => {
    if (onPostgres)
      await database.executeSql(`
        insert into deliveries (company_id, webhook_id, sequence, type, data_id, state, due_at, created_at)
          select company_id, id, n, 'x', n, 'waiting', n, 1 from webhooks, generate_series(51, 600) n;
        insert into delivery_payloads select company_id, webhook_id, sequence, '{}' from deliveries on conflict do nothing;
        analyze deliveries; analyze delivery_payloads`);
    else {
      await company.webhook({ entity_id: 2, action_id: 1 });
      for (let count = 0; count < 5; count += 1) await company.contact();
      await database.executeSql('update deliveries set due_at = 1');
    }
    await runWorkerQueries(store);
  });
  for (const index of indexesOfQueue) expect(steps).toMatch(index);
  expect(steps).not.toMatch(/^Seq Scan (?!webhooks$|unsettled_webhooks$)\w/m);
});

/** Checks a statement as one that the service has run. */
async function check(text: string): Promise<void> {
  const { database } = await emptyStore();
  await checkStatements(database.url, new Map([[text, { text, values: [] }]]));
}

test.each([
  [
    'without a condition on the company',
    'select id from contacts order by id limit 3',
    'has no condition on company_id for each table: select id',
  ],
  [
    'that joins tables without a condition on the company of both',
    'select m.id from conversations c join messages m on m.conversation_id = c.id where c.company_id = 1',
    'has no condition on company_id for each table',
  ],
  [
    'that joins tables in different places of Citus',
    'select c.id from contacts c join deliveries d on d.company_id = c.company_id and d.data_id = c.id where c.company_id = 1',
    'uses both a table on the coordinator of Citus and a distributed one',
  ],
  [
    'that reads a whole table',
    "select id from tokens where (company_id = 1 or name = 'x')",
    'reads all of tokens, because no index fits: select id',
  ],
  [
    'for a page of a list that no index orders',
    'select id from webhooks where company_id = 1 order by url limit 20',
    'sorts more rows than it returns, because no index has',
  ],
])('a statement %s fails the test that runs it', async (_what, text, violation) => {
  await expect(check(text)).rejects.toThrow(`A statement ${violation}`);
});

test('a statement that reads some rows of a company by an index passes', async () => {
  await check('select id from messages where company_id = 1 and id > 5 limit 1');
});
