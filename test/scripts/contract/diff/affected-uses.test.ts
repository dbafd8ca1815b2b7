import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { bookContract } from '../uses/book-contract.ts';
import { applyChange, type Edit } from './contract-change.ts';

const book = '/components/schemas/Book';
const received = [
  'responses GET /books 200 application/json',
  'responses GET /books/{isbn} 200 application/json',
  'responses POST /books 201 application/json',
  'responses POST webhook book.created body application/json',
];
const sent = ['requests POST /books body application/json'];

interface Expected {
  schema: string | undefined;
  properties: string[];
  uses: string[];
}

const changes: [string, Edit, Expected][] = [
  [
    'a smaller maximum length concerns what is sent',
    [`${book}/properties/title/maxLength`, 50],
    { schema: 'Book', properties: ['title'], uses: sent },
  ],
  [
    'a larger maximum length concerns what is received',
    [`${book}/properties/title/maxLength`, 200],
    { schema: 'Book', properties: ['title'], uses: received },
  ],
  [
    'a new value of an enumeration concerns what is received',
    [`${book}/properties/format/enum`, ['paper', 'audio', 'braille']],
    { schema: 'Book', properties: ['format'], uses: received },
  ],
  [
    'a removed value of an enumeration concerns what is sent',
    [`${book}/properties/format/enum`, ['paper']],
    { schema: 'Book', properties: ['format'], uses: sent },
  ],
  [
    'a property that becomes required concerns what is sent',
    [`${book}/required`, ['title', 'format']],
    { schema: 'Book', properties: ['format'], uses: sent },
  ],
  [
    'a property that becomes optional concerns what is received',
    [`${book}/required`, []],
    { schema: 'Book', properties: ['title'], uses: received },
  ],
  [
    'a changed type of a nested schema concerns both directions of everything that contains it',
    ['/components/schemas/Author/properties/name/type', 'integer'],
    { schema: 'Author', properties: ['name'], uses: [...sent, ...received] },
  ],
  [
    'a removed parameter concerns one operation',
    ['/paths/~1books/get/parameters', []],
    { schema: undefined, properties: [], uses: ['requests GET /books query page'] },
  ],
  [
    'a removed path concerns all its operations',
    ['/paths/~1books~1{isbn}'],
    {
      schema: undefined,
      properties: [],
      uses: [
        'requests DELETE /books/{isbn} path isbn',
        'requests GET /books/{isbn} path isbn',
        'responses GET /books/{isbn} 200 application/json',
      ],
    },
  ],
  [
    'a removed operation without parameters and bodies concerns itself',
    ['/paths/~1ping/get'],
    { schema: undefined, properties: [], uses: ['requests GET /ping'] },
  ],
];

test('a removed error code of one response is a change of this response', async () => {
  const before: object = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
  const codes =
    '/components/responses/Conflict/content/application~1json/schema/allOf/1/properties/code/enum';
  const { breaking, others } = await compareContracts(
    before,
    applyChange(before, [[codes, [40901]]]),
    '2026-11-25',
  );
  expect(breaking).toEqual([]);
  expect(others.map(({ message }) => message)).toEqual(['enum of Schema modified']);
  expect(others[0]?.operations).toContain('POST /api/v1/contacts');
});

test.each(changes)('%s', async (_name, edit, expected) => {
  const { breaking } = await compareContracts(
    bookContract(),
    applyChange(bookContract(), [edit]),
    '2026-11-25',
  );
  const found = breaking.map(({ affected: { uses, ...owner } }) => ({
    ...owner,
    uses: uses.map(({ direction, location }) => `${direction} ${location}`).sort(),
  }));
  // Some changes have a finding for each direction.
  expect(found.length).toBeGreaterThan(0);
  for (const each of found) expect(each).toEqual({ ...expected, uses: expected.uses.toSorted() });
});
