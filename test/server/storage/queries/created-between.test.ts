import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withDefaults } from '../../../../server/features/contacts/columns.ts';
import { newContactRow } from '../../../../server/features/contacts/create.ts';
import { newConversationRow } from '../../../../server/features/conversations/open.ts';
import { spanMs } from '../../../../server/storage/creation-spans.ts';
import { insertMany } from '../../../../server/storage/queries/bulk.ts';
import { listContactRows } from '../../../../server/storage/queries/contacts.ts';
import { pageRows } from '../../../../server/storage/queries/lists.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { startService } from '../../../support/service.ts';

// Timestamps at the boundaries of creation spans, before 1970, and spread over more years than a query searches span by
// span.
const timestamp = fc.oneof(
  fc.integer({ min: -3 * spanMs, max: 3 * spanMs }),
  fc.integer({ min: -3, max: 3 }).map((span) => span * spanMs),
  fc.integer({ min: 0, max: 1_300 }).map((span) => span * spanMs + 5),
);

const bound = fc.option(timestamp, { nil: undefined });

const ask = fc.record({
  from: bound,
  to: bound,
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 12 }),
  offset: fc.integer({ min: 0, max: 12 }),
  includeAnonymous: fc.boolean(),
});

test('lists a page of a creation-time range in order of ID, regardless of the order of creation', async () => {
  const { store, company } = await startService();
  const rows = fc.array(fc.record({ at: timestamp, named: fc.boolean(), gone: fc.boolean() }), {
    minLength: 1,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(rows, fc.array(ask, { minLength: 6, maxLength: 6 }), async (given, asked) => {
      const ids = await store.write(async (db) => {
        await db.deleteFrom('conversations').execute();
        await db.deleteFrom('contacts').execute();
        const contacts = await insertMany(
          db,
          'contacts',
          given.map(({ at, named, gone }) => ({
            ...newContactRow(withDefaults({}), [], company.id, at),
            ...{ is_anonymous: named ? 0 : 1, deleted_at: gone ? 1 : null },
          })),
        );
        const conversations = await insertMany(
          db,
          'conversations',
          given.map(({ at, gone }, index) => ({
            ...newConversationRow(company.id, { caller_id: contacts[index] ?? 0, service: 'mail' }, at),
            deleted_at: gone ? 1 : null,
          })),
        );
        return { contacts, conversations };
      });
      for (const page of asked) {
        const expected = (all: readonly number[], anonymousToo: boolean) => {
          const fitting = all.filter((_id, index) => {
            const { at = 0, named = true, gone = false } = given[index] ?? {};
            const isWithin = at >= (page.from ?? -Infinity) && at < (page.to ?? Infinity);
            return !gone && (named || anonymousToo) && isWithin;
          });
          const ordered = page.order === 'asc' ? fitting : fitting.reverse();
          return ordered.slice(page.offset, page.offset + page.limit);
        };
        const filter = { companyId: company.id, ...page };
        const contacts = await store.read((db) => listContactRows(db, filter));
        expect(contacts.map(({ contact }) => contact.id)).toEqual(
          expected(ids.contacts, page.includeAnonymous),
        );
        const conversations = await store.read((db) => pageRows(db, 'conversations', filter));
        expect(conversations.map(({ id }) => id)).toEqual(expected(ids.conversations, true));
      }
    }),
    { numRuns: sampleCount(30), seed },
  );
});
