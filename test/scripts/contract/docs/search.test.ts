import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import type { SearchEntry } from '../../../../scripts/contract/docs/browser/globals.ts';
import { createSearch, groupResults, snippetOf } from '../../../../scripts/contract/docs/browser/search.ts';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { afterAllTests, temporaryFolder } from '../../../support/temporary-folder.ts';

let search: ReturnType<typeof createSearch>;
let out: string;

beforeAll(async () => {
  out = join(await temporaryFolder(afterAllTests), 'docs');
  await buildSite({
    api: 'openapi/openapi.yaml',
    out,
    mock: 'http://127.0.0.1:4010',
    config: contractConfig,
  });
  const script = await readFile(join(out, 'assets/search-entries.js'), 'utf8');
  const window: { parleySearch?: SearchEntry[] } = {};
  runInNewContext(script, { window });
  search = createSearch(window.parleySearch ?? []);
});

/** Searches of readers, and the pages of which one must be among the first three results. */
test.each<[query: string, pages: readonly string[]]>([
  ['pagination', ['guides/pagination.html']],
  ['paging', ['guides/pagination.html']],
  ['CORS', ['guides/authentication.html#cors-call-the-api-from-a-web-page']],
  ['error handling', ['guides/errors.html']],
  ['SDK', ['guides/client.html']],
  ['optimistic locking', ['guides/idempotency.html#optimistic-locking-with-etag-and-if-match']],
  ['infinite scroll', ['guides/react.html#infinite-scrolling']],
  ['typescript', ['guides/client.html']],
  ['getcontact', ['reference/getContact.html']],
  ['retries', ['guides/webhooks.html#retries-and-duplicates']],
  ['idempotency', ['guides/idempotency.html']],
  ['avatar upload', ['guides/messages.html#message-types-and-payloads']],
  ['total count', ['guides/pagination.html#total-count']],
  ['42201', ['guides/errors.html']],
  ['backup', ['guides/databases.html#backup-and-restore']],
  ['gdpr', ['guides/personal-data.html']],
  ['postgres', ['guides/databases.html#sqlite-or-postgresql']],
  ['mock', ['guides/mock.html']],
  ['how to authenticate', ['guides/authentication.html']],
  ['local testing', ['guides/webhooks.html#test-webhooks-locally']],
  ['custom field types', ['guides/custom-fields.html#field-types']],
  ['receive messages', ['guides/messages.html#receive-messages-by-webhook']],
  ['date range', ['guides/pagination.html#filter-by-date']],
  ['event types', ['guides/webhooks.html#event-types']],
  ['rate limit', ['guides/authentication.html#rate-limits']],
  ['429', ['guides/authentication.html#rate-limits']],
  ['rate limits', ['guides/authentication.html#rate-limits']],
  ['retry webhook', ['guides/webhooks.html#retries-and-duplicates']],
  ['verify signature', ['guides/webhooks.html#verify-signatures']],
  ['order by last message', ['guides/pagination.html', 'reference/listConversations.html']],
  ['filter by date', ['guides/pagination.html#filter-by-date']],
  ['PATCH', ['reference/updateContact.html', 'guides/idempotency.html']],
  ['delete contact', ['guides/personal-data.html']],
  ['python', ['guides/webhooks.html#verify-in-typescript-python-or-php']],
  ['curl', ['guides/quickstart.html']],
  ['sandbox', ['guides/mock.html']],
  ['status codes', ['guides/errors.html']],
  ['versioning', ['guides/versions.html']],
  ['deprecation', ['guides/versions.html#deprecation-and-sunset']],
  ['React hook', ['guides/react.html']],
  ['pagination cursor', ['guides/pagination.html']],
  ['localhost webhook', ['guides/webhooks.html#test-webhooks-locally']],
  ['send message', ['guides/messages.html#send-a-message', 'reference/createMessage.html']],
  ['mark as read', ['guides/messages.html#new-and-read-messages']],
  ['close conversation', ['guides/messages.html#conversation-events']],
  ['websocket', ['guides/receive-changes.html']],
  ['polling', ['guides/receive-changes.html']],
  ['realtime', ['guides/receive-changes.html']],
  ['server-sent events', ['guides/receive-changes.html']],
  ['inbox', ['guides/inbox.html']],
  ['checklist', ['guides/go-live.html']],
  ['troubleshooting', ['guides/troubleshooting.html']],
  ['ECONNREFUSED', ['guides/troubleshooting.html']],
  ['bearer', ['guides/authentication.html']],
  ['npm install client', ['guides/quickstart.html#install', 'guides/client.html#install']],
  ['sse', ['guides/receive-changes.html']],
  ['dedupe', ['guides/idempotency.html', 'guides/webhooks.html#retries-and-duplicates']],
  [
    'message twice',
    ['guides/idempotency.html', 'guides/webhooks.html#retries-and-duplicates', 'guides/offline.html'],
  ],
  ['unread', ['guides/messages.html#new-and-read-messages']],
  ['unread count', ['guides/messages.html#new-and-read-messages']],
  ['node version', ['guides/quickstart.html', 'guides/client.html', 'guides/install.html']],
  ['axios', ['guides/client.html', 'guides/quickstart.html']],
  ['attachments', ['guides/messages.html']],
  ['ngrok', ['guides/webhooks.html#test-webhooks-locally']],
  ['base url', ['guides/quickstart.html', 'guides/client.html']],
  ['postman', ['reference.html', 'index.html']],
  ['create conversation', ['guides/messages.html']],
  ['contact name of conversation', ['guides/messages.html']],
  ['whatsapp', ['guides/messages.html']],
  ['EADDRINUSE', ['guides/troubleshooting.html']],
  ['ERR_UNKNOWN_FILE_EXTENSION', ['guides/troubleshooting.html']],
  ['real time', ['guides/receive-changes.html']],
  ['live update', ['guides/receive-changes.html']],
  ['refetchInterval', ['guides/receive-changes.html']],
  ['optimistic update', ['guides/inbox.html#send-a-message']],
  ['port in use', ['guides/troubleshooting.html']],
  ['resend', ['guides/webhooks.html#retries-and-duplicates', 'guides/errors.html#which-errors-to-retry']],
  ['telephone_number', ['reference/listContacts.html#property-telephone_number']],
  ['messages_before', ['reference/getConversation.html#property-messages_before']],
])('the search for %j finds one of %j among the first three results', (query, pages) => {
  const found = search(query).slice(0, 3);
  const isWanted = ({ href }: SearchEntry) =>
    pages.some((page) => href === page || href.startsWith(`${page}#`));
  expect(found.some(isWanted), found.map(({ href }) => href).join(' ')).toBe(true);
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
  expect(groups.map(([heading]) => heading)).toEqual([...new Set(found.slice(3).map(({ group }) => group))]);
  expect(
    groups
      .flatMap(([, entries]) => entries)
      .map(({ href }) => href)
      .sort(),
  ).toEqual(
    found
      .slice(3)
      .map(({ href }) => href)
      .sort(),
  );
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
