import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { isPatternSubset } from '../../../../scripts/contract/diff/pattern-subset.ts';
import { readYaml } from '../../../support/documents.ts';
import { bookContract } from '../uses/consumer-project.ts';
import { applyChange, type Edit } from './contract-changes.ts';
import { oneOperation } from './one-operation.ts';

const parameter = (schema: object) =>
  oneOperation({ parameters: [{ name: 'f', in: 'query', schema }], request: { type: 'object' } });
const text = { type: 'string' };
const named = (properties: object) => ({ type: 'object', properties });

test('reports a removed path whose requests reach another operation of the revision', async () => {
  const item = { get: { responses: { 204: { description: '' } } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
  const paths = (all: object) => oneOperation({ paths: all });
  const byId = { '/books/{id}': { parameters, ...item } };
  const { breaking } = await compareContracts(
    paths({ ...byId, '/books/mine': item }),
    paths(byId),
    '2026-11-22',
  );
  expect(breaking.map(({ proof }) => proof)).toEqual([
    {
      kind: 'request',
      seen: {
        curl: "curl -i --path-as-is 'http://127.0.0.1:4010/books/mine'",
        base: 'accepted',
        revision: 'accepted as a request of /books/{}',
      },
    },
  ]);
});

test('does not call a change breaking because another change of the body is', async () => {
  const body = (pattern: string, maxLength: number) =>
    oneOperation({ request: named({ a: { type: 'string', pattern }, b: { type: 'string', maxLength } }) });
  const { breaking, undecided } = await compareContracts(
    body('^[a-z]+$', 9),
    body('^[a-z]{1,}$', 8),
    '2026-11-22',
  );
  expect(breaking.map(({ message }) => message)).toEqual([expect.stringContaining('maxLength')]);
  expect(undecided.map(({ message }) => message)).toEqual([expect.stringContaining('pattern')]);
});

test('compares contracts that cannot be compiled, although no request can be tried', async () => {
  const servers = [
    { url: '/{a}', variables: { a: { default: '0', enum: Array.from({ length: 200 }, (_, n) => `${n}`) } } },
  ];
  const { breaking } = await compareContracts(
    { ...parameter(text), servers },
    { ...oneOperation({ request: { type: 'object' } }), servers },
    '2026-11-22',
  );
  expect(breaking.map(({ rule, proof }) => [rule, proof.kind])).toEqual([['parameter-removed', 'compared']]);
});

interface AffectingChange {
  edit: Edit;
  property?: string;
  uses: string[] | string[][];
}
const { changes }: { changes: Record<string, AffectingChange> } = readYaml(
  import.meta.dirname,
  'affected-uses.yaml',
);

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
  expect(others.map(({ base }) => base?.pointer)).toEqual([expect.stringMatching(/\/code\/enum$/)]);
  expect(others[0]?.operations).toContain('POST /api/v1/contacts');
});

test.each(Object.entries(changes))('%s', async (_name, { edit, property, uses }) => {
  const { breaking } = await compareContracts(
    bookContract(),
    applyChange(bookContract(), [edit]),
    '2026-11-25',
  );
  // Some changes have a finding for each direction.
  expect(breaking.length).toBeGreaterThan(0);
  const [schema, ...properties] = property?.split('.') ?? [];
  for (const { affected } of breaking) {
    const found = affected.uses.map(({ direction, location }) => `${direction} ${location}`).sort();
    expect({ ...affected, uses: found }).toEqual({ schema, properties, uses: uses.flat().sort() });
  }
});

test.each([
  ['^[a-z]+$', '^[a-z]{1,}$'],
  ['^[a-z]{1,}$', '^[a-z]+$'],
  ['^[a-z]+$', '^.*$'],
  ['^\\d{13}$', '^[0-9]+$'],
  ['^a', 'a'],
  ['^a$|^b$', '^[ab]$'],
  ['^a|b$', 'a|b'],
  ['^\\p{Lu}$', '^\\p{L}$'],
  ['x', ''],
])('every text of %s matches %s', (one, other) => {
  expect(isPatternSubset(one, other)).toBe(true);
  const [inner, outer] = [new RegExp(one, 'u'), new RegExp(other, 'u')];
  fc.assert(fc.property(fc.stringMatching(inner), (text) => outer.test(text)));
});

test.each([
  ['^.*$', '^[a-z]+$', 'another text matches'],
  ['', '^.*$', 'a line break does not match'],
  ['a', '^a', 'the text stands elsewhere'],
  ['^(a|b)$', '^a$', 'one alternative does not match'],
  ['\\ba', 'a', 'the assertion is inside'],
])('%s is not proven to be within %s: %s', (one, other) => {
  expect(isPatternSubset(one, other)).toBe(false);
});

test('a pattern that needs an automaton of exponential size is not compared', () => {
  expect(isPatternSubset('^b$', '^(?:(?:a|b)*a(?:a|b){25})$')).toBe(false);
  expect(isPatternSubset('^a+$', '^[a-z]{1,100000}$')).toBe(false);
});
