import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import type { SearchEntry } from '../../../../scripts/contract/docs/browser/globals.ts';
import { createSearch, groupResults, snippetOf } from '../../../../scripts/contract/docs/browser/search.ts';
import { buildPortal } from './portal.ts';

let search: ReturnType<typeof createSearch>;
let out: string;

beforeAll(async () => {
  out = await buildPortal();
  const script = await readFile(join(out, 'assets/search-entries.js'), 'utf8');
  const window: { parleySearch?: SearchEntry[] } = {};
  runInNewContext(script, { window });
  search = createSearch(window.parleySearch ?? []);
});

/** Searches of readers, by the page that must be among the first three results. */
const searches: Record<string, readonly string[]> = {
  'guides/authentication.html': ['how to authenticate', 'bearer'],
  'guides/authentication.html#cors-call-the-api-from-a-web-page': ['CORS'],
  'guides/authentication.html#rate-limits': ['rate limit', '429'],
  'guides/client.html': ['SDK', 'typescript', 'node version', 'axios'],
  'guides/client.html#install': ['npm install client'],
  'guides/custom-fields.html#field-types': ['custom field types'],
  'guides/databases.html#backup-and-restore': ['backup'],
  'guides/databases.html#sqlite-or-postgresql': ['postgres'],
  'guides/errors.html': ['error handling', '42201', 'status codes'],
  'guides/errors.html#which-errors-to-retry': ['resend'],
  'guides/go-live.html': ['checklist'],
  'guides/idempotency.html': ['idempotency', 'dedupe'],
  'guides/idempotency.html#optimistic-locking-with-etag-and-if-match': ['optimistic locking'],
  'guides/inbox.html#send-a-message': ['optimistic update'],
  'guides/messages.html': ['attachments', 'create conversation', 'contact name of conversation', 'whatsapp'],
  'guides/messages.html#conversation-events': ['close conversation'],
  'guides/messages.html#message-types-and-payloads': ['avatar upload'],
  'guides/messages.html#new-and-read-messages': ['mark as read', 'unread'],
  'guides/messages.html#receive-messages-by-webhook': ['receive messages'],
  'guides/messages.html#send-a-message': ['send message'],
  'guides/mock.html': ['sandbox'],
  'guides/offline.html': ['message twice'],
  'guides/pagination.html': ['pagination', 'paging', 'order by last message', 'pagination cursor'],
  'guides/pagination.html#filter-by-date': ['date range', 'filter by date'],
  'guides/pagination.html#total-count': ['total count'],
  'guides/personal-data.html': ['gdpr', 'delete contact'],
  'guides/quickstart.html': ['curl', 'base url'],
  'guides/react.html': ['React hook'],
  'guides/react.html#infinite-scrolling': ['infinite scroll'],
  'guides/receive-changes.html': [
    'websocket',
    'polling',
    'realtime',
    'sse',
    'live update',
    'refetchInterval',
  ],
  'guides/troubleshooting.html': ['EADDRINUSE', 'ERR_UNKNOWN_FILE_EXTENSION', 'port in use'],
  'guides/versions.html': ['versioning'],
  'guides/versions.html#deprecation-and-sunset': ['deprecation'],
  'guides/webhooks.html#event-types': ['event types'],
  'guides/webhooks.html#retries-and-duplicates': ['retries', 'retry webhook'],
  'guides/webhooks.html#test-webhooks-locally': ['local testing', 'localhost webhook', 'ngrok'],
  'guides/webhooks.html#verify-in-typescript-python-or-php': ['python'],
  'guides/webhooks.html#verify-signatures': ['verify signature'],
  'reference.html': ['postman'],
  'reference/getContact.html': ['getcontact'],
  'reference/getConversation.html#property-messages_before': ['messages_before'],
  'reference/listContacts.html#property-telephone_number': ['telephone_number'],
  'reference/updateContact.html': ['PATCH'],
};

test.each(Object.entries(searches))('searches find %s among the first three results', (page, queries) => {
  for (const query of queries) {
    const found = search(query)
      .slice(0, 3)
      .map(({ href }) => href);
    expect(
      found.some((href) => href === page || href.startsWith(`${page}#`)),
      `${query}: ${found}`,
    ).toBe(true);
  }
});

test('a snippet is the sentence with most words of the query', () => {
  const text = 'A contact has fields. Pages of 20 contacts are sorted by ID. Contacts have IDs.';
  expect(snippetOf(text, 'the contact page')).toEqual({
    before: '',
    word: 'Pages',
    after: ' of 20 contacts are sorted by ID.',
  });
  expect(snippetOf('None. No such word.', 'contact')).toEqual({ before: '', word: '', after: 'None.' });
});

test('no snippet shows a table or code', () => {
  for (const query of ['event types', '42901', 'entity_id', 'curl', 'which errors to retry'])
    for (const { text } of search(query).slice(0, 5)) {
      const { before, word, after } = snippetOf(text, query);
      expect(before + word + after, query).toMatch(/^$|[.:!?)]$/);
    }
});

test('each result after the best ones contains a word of the query', () => {
  const others = ['websocket', 'node version', 'compatible changes'].flatMap((query) =>
    search(query)
      .slice(3)
      .map(({ title, text }) => snippetOf(`${title} ${text}`, query).word),
  );
  expect(others.length).toBeGreaterThan(5);
  expect(others).not.toContain('');
});

test('the best results stand first, and the others by group', () => {
  const found = search('webhook');
  const [best, ...groups] = groupResults(found);
  expect(best).toEqual(['Best results', found.slice(0, 3)]);
  expect(groups).toEqual([...Map.groupBy(found.slice(3), ({ group }) => group)]);
});

test('the exact name of a property lists every page of the reference that has it', async () => {
  const pages = await Array.fromAsync(glob('reference/*.html', { cwd: out }), async (page) => {
    const ids = (await readFile(join(out, page), 'utf8')).matchAll(/id="property-(?:[\w.]+\.)?first_name"/g);
    return [...ids].length > 0 ? [page.replaceAll('\\', '/')] : [];
  });
  expect(pages.flat().length).toBeGreaterThan(5);
  const listed = search('First_name').filter(({ title }) => title === 'first_name');
  expect(listed.map(({ href }) => href.split('#')[0]).sort()).toEqual(pages.flat().sort());
  expect(search('first_nam').map(({ group }) => group)).not.toContain('Pages with first_name');
});

test('a status, an error code, and the topic of a section lead to their place first', () => {
  const first = ['429', '40902', 'retry webhook'].map((query) => search(query)[0]?.href);
  const errors = 'guides/errors.html';
  expect(first).toEqual([
    `${errors}#42901`,
    `${errors}#40902`,
    'guides/webhooks.html#retries-and-duplicates',
  ]);
});

test('pages about the contract come after those for users', () => {
  const found = search('429');
  const isDecision = ({ href }: SearchEntry) => href.startsWith('decisions.html');
  expect(found.findIndex(isDecision)).toBe(found.length - found.filter(isDecision).length);
  expect(found.findIndex(isDecision)).toBeGreaterThan(2);
});

test('a search result for an operation shows its method and path', () => {
  expect(search('getcontact')[0]?.location).toBe('GET /api/v1/contacts/{id}');
  expect(search('whatsapp')).not.toEqual([]);
});
