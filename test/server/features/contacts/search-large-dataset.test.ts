import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { withDefaults } from '../../../../server/features/contacts/columns.ts';
import { newContactRow } from '../../../../server/features/contacts/create.ts';
import { parseSearchQuery, searchTextOf } from '../../../../server/features/contacts/search-text.ts';
import { analyzeTables, insertMany } from '../../../../server/storage/queries/bulk.ts';
import { countMatches, searchContactRows } from '../../../../server/storage/queries/contacts.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { startService } from '../../../support/service.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';

let service: Awaited<ReturnType<typeof startService>>;
/** Company and search text of each contact, by contact ID. */
const texts = new Map<number, { company: number; text: string }>();
let other: number;

const names = [
  'Ada',
  'Tomás',
  'Jürgen',
  'Łukasz',
  'Иван',
  'Ελένη',
  '王芳',
  "O'Brien",
  'C# fan',
  'Q"uo*te ^fan:',
  '100%_sure',
  'aaaa',
];
const many = 6_500;

/** Each company has more contacts than a search reads at first: 1,000 in order of ID, or 1,024 of the index. */
beforeAll(async () => {
  service = await startService({ onCleanup: afterAllTests });
  const { store, company } = service;
  other = (await service.addCompany()).id;
  const rows = Array.from({ length: many }, (_, number) => ({
    ...newContactRow(withDefaults({ first_name: names[number % names.length] ?? null }), [], 0, number),
    company_id: number % 5 === 4 ? other : company.id,
    search_text: searchTextOf([
      names[number % names.length] ?? '',
      `contact.${number}@example.com`,
      `+46${700_000_000 + 7 * number}`,
      number % 97 === 0 ? 'Sonderzug nach Pankow' : null,
    ]),
  }));
  for (let from = 0; from < many; from += 1_000) {
    const part = rows.slice(from, from + 1_000);
    const ids = await store.write((db) => insertMany(db, 'contacts', part));
    for (const [index, { company_id, search_text }] of part.entries())
      texts.set(ids[index] ?? 0, { company: company_id, text: search_text });
  }
  await store.write(analyzeTables);
});
const expected = (company: number, query: string): number[] => {
  const anyOf = parseSearchQuery(query);
  return [...texts]
    .filter(
      ([, one]) =>
        one.company === company && anyOf.some((all) => all.every((part) => one.text.includes(part))),
    )
    .map(([id]) => id);
};

/** Parts of existing texts, and near misses. */
const queries = fc.oneof(
  fc
    .record({ number: fc.nat(many), from: fc.nat(60), length: fc.integer({ min: 1, max: 30 }) })
    .map(
      ({ number, from, length }) =>
        (texts.get([...texts.keys()][number % texts.size] ?? 0)?.text ?? '')
          .split('\n')[0]
          ?.slice(from, from + length) ?? '',
    ),
  fc.nat(many).map((number) => `contact.${number}@example.com`),
  fc.nat(many).map((number) => `0${700_000_000 + 7 * number}`.slice(1)),
  fc.nat(many).map((number) => `+46 ${700_000_000 + 7 * number}`),
  fc.constantFrom(
    'zug pankow',
    'xyz',
    'com',
    'ada 123',
    '"uo*te',
    'ada OR quo',
    '"',
    '^fan:',
    '100%_s',
    '%%%',
    '___',
    "'''",
    'aaaa',
    'aaaaa',
    '王芳',
    'łuk exa',
    '.@.',
    '46700 sonder',
  ),
);

test('a search in thousands of contacts finds the same contacts as a scan of every search text', async () => {
  const { store, company } = service;
  await fc.assert(
    fc.asyncProperty(queries, fc.boolean(), fc.nat(30), async (query, ofOther, offset) => {
      const anyOf = parseSearchQuery(query);
      if (anyOf.length === 0) return;
      const companyId = ofOther ? other : company.id;
      const all = expected(companyId, query);
      const found = await store.read((db) => searchContactRows(db, { companyId, anyOf, limit: 20, offset }));
      expect(
        found.map(({ contact }) => contact.id),
        query,
      ).toEqual(all.slice(offset, offset + 20));
      expect(await store.read((db) => countMatches(db, { companyId, anyOf })), query).toBe(all.length);
    }),
    { numRuns: sampleCount(60), seed },
  );
});
