import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import type { SearchEntry } from '../../../../scripts/contract/docs/browser/globals.ts';
import { createSearch } from '../../../../scripts/contract/docs/browser/search.ts';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let search: ReturnType<typeof createSearch>;

beforeAll(async () => {
  const out = join(await temporaryFolder((end) => afterAll(end)), 'docs');
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

test.each([
  ['pagination', 'guides/pagination.html'],
  ['paging', 'guides/pagination.html'],
  ['CORS', 'guides/authentication.html#cors-call-the-api-from-a-web-page'],
  ['error handling', 'guides/errors.html'],
  ['SDK', 'guides/client.html'],
  ['optimistic locking', 'guides/idempotency.html#optimistic-locking-with-etag-and-if-match'],
  ['infinite scroll', 'guides/react.html#infinite-scrolling'],
  ['typescript', 'guides/client.html'],
  ['getcontact', 'reference.html#getContact'],
  ['send message', 'reference.html#createMessage'],
  ['verify signature', 'guides/webhooks.html#verify-signatures'],
  ['retries', 'guides/webhooks.html#retries-and-duplicates'],
  ['rate limit', 'decisions.html#d33'],
  ['idempotency', 'guides/idempotency.html'],
  ['avatar upload', 'decisions.html#d04'],
  ['total count', 'guides/pagination.html#total-count'],
  ['42201', 'guides/errors.html'],
  ['backup', 'guides/databases.html#backup-and-restore'],
  ['gdpr', 'guides/personal-data.html'],
  ['postgres', 'guides/databases.html#sqlite-or-postgresql'],
  ['mock', 'guides/mock.html'],
  ['deprecation', 'guides/versions.html#deprecation-and-sunset'],
  ['how to authenticate', 'guides/authentication.html'],
  ['local testing', 'guides/webhooks.html#test-webhooks-locally'],
  ['custom field types', 'guides/custom-fields.html#field-types'],
  ['receive messages', 'guides/messages.html#receive-messages-by-webhook'],
  ['date range', 'guides/pagination.html#filter-by-date'],
  ['event types', 'guides/webhooks.html#event-types'],
])('the search for %j finds %s among the first three results', (query, href) => {
  expect(
    search(query)
      .slice(0, 3)
      .map((entry) => entry.href),
  ).toContain(href);
});

test('a search result for an operation shows its method and path', () => {
  expect(search('getcontact')[0]?.location).toBe('GET /api/v1/contacts/{id}');
  expect(search('whatsapp')).not.toEqual([]);
});
