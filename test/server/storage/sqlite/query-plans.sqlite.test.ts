import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eraseContact } from '../../../../server/features/privacy/erase-contact.ts';
import { countCompanyData } from '../../../../server/storage/queries/companies.ts';
import { lockWebhooksForEvent } from '../../../../server/storage/queries/webhooks.ts';
import type { ApiClient } from '../../../support/api-client.ts';
import { startService } from '../../../support/service.ts';
import { runWorkerQueries } from '../worker-queries.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** Returns SQLite's plans of the statements that a callback runs. */
async function plansOf(ask: (api: ApiClient, service: Service) => Promise<unknown>): Promise<string[]> {
  const service = await startService();
  const { company } = service;
  await company.conversation({ caller_id: await company.contact() });
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepared.mockRestore());
  await ask(service.api, service);
  const statements = prepared.mock.calls.map(([text]) => text);
  const database = new DatabaseSync(service.database.file);
  const reads = statements.filter(
    (text) => /^\s*(select|update|delete|with)/.test(text) && !/"digest"|last_used_at/.test(text),
  );
  const plans = reads.map((text) => {
    const parameters = Array.from(text.matchAll(/\?/g), () => 1);
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters);
    return steps.map(({ detail }) => detail).join('; ');
  });
  database.close();
  return plans;
}

// Scans of a result page from a subquery, and of the search index, are allowed. Scans of tables are not.
const scansAllowed = /SCAN (c|newest|contacts_search VIRTUAL TABLE INDEX \S+)(?=;|$| )/g;

const reads: [string, (api: ApiClient, service: Service) => Promise<unknown>, string][] = [
  ['a list', (api) => api.listContacts(), 'contacts_with_a_name'],
  [
    'a list with anonymous contacts',
    (api) => api.listContacts('?include_anonymous=true'),
    'sqlite_autoindex_contacts_1',
  ],
  ['a list in descending order', (api) => api.listContacts('?order=desc'), 'contacts_with_a_name'],
  [
    'a range of dates',
    (api) => api.listContacts('?date_from=2000-01-01T00:00:00Z'),
    'INDEX contacts_by_span (company_id=? AND <expr>=? AND id>?)',
  ],
  [
    'the ends of a range of dates',
    (api) => api.listContacts('?date_from=2000-01-01T00:00:00Z&date_to=2050-01-01T00:00:00Z'),
    'contacts_by_creation (company_id=? AND created_at>? AND created_at<?)',
  ],
  ['a count', (api) => api.listContacts('', { prefer: 'count=exact' }), 'INDEX contacts_'],
  ['a search', (api) => api.searchContacts('ada li'), 'contacts_search VIRTUAL TABLE INDEX'],
  ['a contact', (api) => api.getContact(1), 'SEARCH contacts USING INTEGER PRIMARY KEY'],
  ['the custom fields', (api) => api.listCustomFields(), 'fields_in_order'],
  ['the conversations', (api) => api.listConversations(), 'sqlite_autoindex_conversations_1'],
  [
    'conversations of a range of dates',
    (api) => api.listConversations('?date_from=2000-01-01T00:00:00Z'),
    'INDEX conversations_by_span (company_id=? AND <expr>=? AND id>?)',
  ],
  ['a conversation', (api) => api.getConversation(1), 'COVERING INDEX messages_of_conversation'],
  ['a message', (api) => api.getMessage(1), 'SEARCH m USING INTEGER PRIMARY KEY'],
  [
    'the webhooks of an event',
    (_api, { store }) => store.read((db) => lockWebhooksForEvent(db, 1, { entityId: 1, actionId: 1 })),
    'webhooks_by_event',
  ],
  [
    'a new message',
    (api) => api.createMessage({ conversation_id: 1, type: 'text', payload: 'x' }),
    'SEARCH conversations USING INTEGER PRIMARY KEY',
  ],
];

test.each(reads)('uses the expected index, and scans no table, for %s', async (_what, ask, index) => {
  const plans = await plansOf(ask);
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.join('\n')).toContain(index);
  for (const plan of plans) expect(plan.replaceAll(scansAllowed, '')).not.toContain('SCAN');
});

test('counts the rows of a company without table scans', async () => {
  const plans = await plansOf((_api, { store }) => store.read((db) => countCompanyData(db, 1)));
  expect(plans.length).toBeGreaterThan(5);
  for (const plan of plans) expect(plan).not.toContain('SCAN');
});

test('erasing a contact finds its data by indexes', async () => {
  const plans = await plansOf((_api, { store }) => eraseContact(store, 1, 1, { now: Date.now() }));
  const all = plans.join('\n');
  for (const index of [
    'conversations_of_caller (company_id=? AND caller_id=?)',
    'messages_by_conversation (company_id=? AND conversation_id=?)',
    'deliveries_by_entity (company_id=? AND data_id=?)',
    'import_keys_by_id (company_id=? AND kind=? AND id=?)',
  ])
    expect(all).toContain(index);
  expect(all).not.toMatch(/SCAN (contacts|conversations|messages|deliveries|import_keys)\b/);
});

test('queries of the delivery queue use indexes', async () => {
  const plans = await plansOf(async (api, { company, store }) => {
    for (const actionId of [1, 2])
      await company.webhook({ entity_id: 2, action_id: actionId, url: 'https://hooks.example.com/a' });
    for (let count = 0; count < 5; count += 1) await api.createContact({ first_name: 'Ada' });
    await store.write((db) => db.updateTable('deliveries').set({ due_at: 1 }).execute());
    await runWorkerQueries(store);
  });
  const all = plans.join('\n');
  for (const index of [
    'deliveries_due (due_at<?)',
    'deliveries_of_webhook_due (company_id=? AND webhook_id>?)',
    'deliveries_of_webhook_due (company_id=? AND webhook_id=? AND due_at<?)',
    'deliveries_of_entity (company_id=? AND webhook_id=? AND data_id=? AND sequence<?)',
    'deliveries_leased (company_id=? AND webhook_id=? AND data_id=?)',
    'sqlite_autoindex_deliveries_1 (company_id=? AND webhook_id=? AND sequence=?)',
  ])
    expect(all).toContain(index);
  // A scan of all leased deliveries is allowed, because at most a few hundred deliveries are leased.
  const others = all.replaceAll(
    /SCAN (r|d|CONSTANT ROW|json_each VIRTUAL TABLE INDEX 1:|deliveries USING INDEX deliveries_leased)/g,
    '',
  );
  expect(others.split('\n').filter((line) => /SCAN (?!deliveries$)/.test(line))).toEqual([]);
});
