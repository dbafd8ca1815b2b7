import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { countCompanyData, insertCompany } from '../../../../server/storage/queries/companies.ts';
import { lockWebhooksForEvent } from '../../../../server/storage/queries/webhooks.ts';
import type { ApiClient } from '../../../support/api-client.ts';
import { startService } from '../../../support/service.ts';
import { createFixtures } from '../../own-contract/valid-requests.ts';
import { runWorkerQueries } from '../worker-queries.ts';

type Service = Awaited<ReturnType<typeof startService>>;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const ends: (() => Promise<void>)[] = [];
let service: Service;

/** Creates three companies with enough rows that PostgreSQL prefers indexes to table scans. */
beforeAll(async () => {
  service = await startService({ onCleanup: (end) => ends.push(end) });
  await createFixtures(service.company);
  for (const name of ['B', 'C'])
    await service.store.write((db) => insertCompany(db, { name, created_at: 1 }));
  await service.database.executeSql(`
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
  await service.database.executeSql('vacuum analyze');
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Returns PostgreSQL's plans of the statements that a callback runs, each as a list of its nodes. */
async function plansOf(ask: (api: ApiClient, service: Service) => Promise<unknown>): Promise<Plan[][]> {
  const asked = vi.spyOn(Client.prototype, 'query');
  onTestFinished(() => asked.mockRestore());
  await ask(service.api, service);
  const statements = asked.mock.calls.flatMap(([given]) => {
    const { text, values = [] } = given as unknown as { text: string; values?: unknown[] };
    const isOurs =
      /^(select|update|with)/.test(text.trim()) && !/"digest"|last_used_at|"companies"/.test(text);
    return isOurs ? [{ text, values }] : [];
  });
  asked.mockRestore();
  const client = new Client({ connectionString: service.database.url });
  await client.connect();
  const plans: Plan[][] = [];
  for (const { text, values } of statements) {
    const { rows } = await client.query(`explain (format json) ${text}`, values);
    plans.push(nodesOf(rows[0]['QUERY PLAN'][0].Plan));
  }
  await client.end();
  return plans;
}

/** The tables that `beforeAll` fills with so many rows that PostgreSQL must not scan them. */
const large = ['contacts', 'conversations', 'messages'];
const scannedIn = (nodes: readonly Plan[]) =>
  nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && large.includes(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name']);

// A date range that contains many of the rows that `beforeAll` inserts.
const someTime = '?date_from=1970-01-01T00:00:00.005Z&date_to=1970-01-01T00:00:20Z';

const reads: [string, (api: ApiClient, service: Service) => Promise<unknown>, string | RegExp][] = [
  ['a list', (api) => api.listContacts(), 'contacts_with_a_name'],
  [
    'a list with anonymous contacts',
    (api) => api.listContacts('?include_anonymous=true'),
    'contacts_of_company',
  ],
  ['the ends of a range of dates', (api) => api.listContacts(someTime), 'contacts_by_creation'],
  ['a range of dates', (api) => api.listContacts(someTime), 'contacts_by_span'],
  ['a count', (api) => api.listContacts('', { prefer: 'count=exact' }), 'contacts_with_a_name'],
  ['a search for what few have', (api) => api.searchContacts('ada li2345'), 'contacts_search'],
  [
    'how many a search finds',
    (api) => api.searchContacts('li2345', '', { prefer: 'count=exact' }),
    'contacts_search',
  ],
  ['a contact', (api) => api.getContact(1), 'contacts_of_company'],
  ['the conversations', (api) => api.listConversations(), 'conversations_of_company'],
  // Either index finds the messages of the conversation.
  ['a conversation', (api) => api.getConversation(1), /^messages_(of|by)_conversation$/],
  [
    'the webhooks of an event',
    (_api, { store }) => store.write((db) => lockWebhooksForEvent(db, 1, { entityId: 1, actionId: 1 })),
    'webhooks_by_event',
  ],
  [
    'a new message',
    (api) => api.createMessage({ conversation_id: 1, type: 'text', payload: 'x' }),
    'conversations_of_company',
  ],
];

test.each(reads)('uses the expected index, and scans no large table, for %s', async (_what, ask, index) => {
  const plans = await plansOf(ask);
  const nodes = plans.flat();
  expect(nodes.map((node) => node['Index Name'])).toContainEqual(
    typeof index === 'string' ? index : expect.stringMatching(index),
  );
  expect(scannedIn(nodes)).toEqual([]);
});

test('counts the rows of a company without scanning large tables', async () => {
  const plans = await plansOf((_api, { store }) => store.read((db) => countCompanyData(db, 1)));
  expect(plans.length).toBeGreaterThan(5);
  expect(scannedIn(plans.flat())).toEqual([]);
});

test('queries of the delivery queue use indexes', async () => {
  await service.database.executeSql(`
    insert into deliveries (company_id, webhook_id, sequence, type, data_id, state, due_at, created_at)
      select company_id, id, n, 'x', n, 'waiting', n, 1 from webhooks, generate_series(51, 600) n;
    insert into delivery_payloads select company_id, webhook_id, sequence, '{}' from deliveries on conflict do nothing;
    analyze deliveries; analyze delivery_payloads`);
  const plans = await plansOf((_api, { store }) => runWorkerQueries(store));
  const used = new Set(plans.flat().map((node) => node['Index Name']));
  for (const index of ['deliveries_due', 'deliveries_of_webhook_due', 'deliveries_key'])
    expect(used).toContain(index);
  const scanned = plans
    .flat()
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'])
    .filter((name) => name !== 'webhooks' && name !== 'unsettled_webhooks');
  expect(scanned).toEqual([]);
});
