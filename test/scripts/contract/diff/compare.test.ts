import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test, vi } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import type { BreakingChange } from '../../../../scripts/contract/diff/contract-diff.ts';
import { ruleIds } from '../../../../scripts/contract/diff/rules.ts';
import {
  type SchemaLocation,
  schemaLocationsOf,
} from '../../../../scripts/contract/diff/schema-locations.ts';
import { shrink } from '../../../../scripts/contract/diff/shrink.ts';
import { viewFor } from '../../../../scripts/contract/model/read-write-views.ts';
import { resolvePointer } from '../../../../scripts/lib/json-pointer.ts';
import { knownFormats } from '../../../../scripts/lib/known-formats.ts';
import { isHttpMethod } from '../../../../scripts/lib/openapi-document.ts';
import { listOf, objectOf } from '../../../../server/lib/json-object.ts';
import { contractOf, loadDocument, readYaml } from '../../../support/documents.ts';
import { isLong } from '../../../support/sampling.ts';
import { applyChange, type ContractChange, contractChanges, libraryContract } from './contract-changes.ts';
import { type OneOperation, oneOperation } from './one-operation.ts';

const today = '2026-11-22';
const compare = (change: Pick<ContractChange, 'edits'>) =>
  compareContracts(libraryContract(), applyChange(libraryContract(), change.edits), today);

// `npm test` compares only every 48th change. `npm run test:long` compares all.
const sample = contractChanges.filter((_, index) => isLong || index % 48 === 0);

// One comparison has the changes of all rules. `npm run test:long` compares each alone.
test.each(isLong ? ruleIds.map((rule) => [rule]) : [ruleIds])(
  'each rule reports the contract change that names it: %s',
  async (...names) => {
    const edits = names.flatMap((rule) => {
      const change = contractChanges.find((each) => each.rule === rule);
      return change?.edits ?? expect.fail(`Add a change with "rule: ${rule}" to labelled-changes/*.yaml.`);
    });
    const { breaking } = await compare({ edits });
    expect(breaking.map(({ rule }) => rule)).toEqual(expect.arrayContaining(names));
  },
);

/** Moves the parameters of paths, and what their references contain, to their operations. */
function withOwnParameters(document: object): object {
  const paths = Object.entries(objectOf(objectOf(document).paths)).map(([path, item]) => {
    const { $ref = '', ...own } = objectOf(item);
    const { parameters: common, ...methods } = {
      ...objectOf(resolvePointer(document, String($ref).slice(1))),
      ...own,
    };
    const operations = Object.entries(methods).map(([method, operation]) => [
      method,
      isHttpMethod(method)
        ? {
            ...objectOf(operation),
            parameters: [...listOf(objectOf(operation).parameters), ...listOf(common)],
          }
        : operation,
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/**
 * Validates a counterexample against the original document with a new Ajv instance, independently of the normalization
 * and the search that found it.
 */
function isValid(document: object, { direction, name, otherwise }: SchemaLocation, value: unknown): boolean {
  const locations = schemaLocationsOf(contractOf(withOwnParameters(document)));
  const [location] = [name, ...otherwise].flatMap((each) => locations.filter((found) => found.name === each));
  // If there is no schema, any body is valid.
  if (!location) return true;
  const ajv = new Ajv2020({ strict: false, formats: knownFormats });
  ajv.addSchema(
    viewFor(direction, withOwnParameters(document), direction === 'requests' ? 'forbidden' : 'left out'),
    'contract',
    undefined,
    false,
  );
  return ajv.validate({ $ref: `contract#${encodeURI(location.pointer)}` }, value);
}

test.each(sample.map((change) => ({ change, name: `${change.kind}: ${change.name} (${change.label})` })))(
  'labels $name correctly, and every counterexample is valid in only one of the contracts',
  async ({ change }) => {
    const { breaking, undecided, needed } = await compare(change);
    const real = breaking.filter(({ plannedRemoval }) => plannedRemoval?.state !== 'due');
    expect(real.length > 0, JSON.stringify(breaking, null, 1)).toBe(change.label === 'breaking');
    if (change.label !== 'breaking')
      expect(undecided.length > 0, JSON.stringify(undecided, null, 1)).toBe(change.label === 'undecided');
    if (change.label === 'same') expect(needed).toBe('patch');
    const [before, after] = [libraryContract(), applyChange(libraryContract(), change.edits)];
    for (const { proof, rule } of breaking) {
      if (proof.kind === 'none') expect(proof.reason, rule).toMatch(/\S+ \S+/);
      if (proof.kind === 'compared') expect(proof.sentence, rule).toMatch(/\S+ \S+/);
      if (proof.kind === 'request' || (proof.kind === 'payload' && proof.seen)) {
        expect(proof.seen?.curl, rule).toMatch(/^curl .*'http:/);
        expect(proof.seen?.base, rule).toBe('accepted');
        expect(proof.seen?.revision, rule).toMatch(/^4\d\d: |is read differently$/);
      }
      if (proof.kind !== 'payload') continue;
      const { location, value } = proof;
      const [fits, breaks] = location.direction === 'requests' ? [before, after] : [after, before];
      expect(isValid(fits, location, value), JSON.stringify(value)).toBe(true);
      expect(isValid(breaks, location, value), JSON.stringify(value)).toBe(false);
    }
  },
  60_000,
);

test('the labeled contract changes are applicable', () => {
  for (const change of contractChanges)
    expect(() => applyChange(libraryContract(), change.edits), change.name).not.toThrow();
});

const only = async (at: string, value?: unknown): Promise<BreakingChange[]> =>
  (await compare({ edits: [value === undefined ? [at] : [at, value]] })).breaking;

test('a counterexample contains only the property that the change affects', async () => {
  const [change, ...more] = await only('/components/schemas/NewBook/properties/title/maxLength', 80);
  expect(more).toEqual([]);
  expect(change).toMatchObject({
    rule: 'schema-constraint-changed',
    operations: ['POST /books', 'PUT /books/{isbn}'],
    proof: { kind: 'payload', value: { title: 'a'.repeat(81) } },
  });
  expect(JSON.stringify(change?.proof)).not.toContain('pages');
});

const curl = "curl -i --path-as-is -H 'Authorization: Bearer token'";
const url = 'http://127.0.0.1:4010/v2';

test.each<[string, string, unknown, string, string]>([
  [
    'a path that goes',
    '/paths/~1loans',
    undefined,
    `${curl.replace(' -H', ' -X POST -H')} '${url}/loans'`,
    '404: The path does not exist.',
  ],
  [
    'a parameter that goes',
    '/paths/~1books/get/parameters/0',
    undefined,
    `${curl} '${url}/books?page=1'`,
    '400: query/page is not allowed',
  ],
  [
    'a parameter that becomes required',
    '/paths/~1books/get/parameters/3/required',
    true,
    `${curl} '${url}/books'`,
    '400: query/q is required',
  ],
  [
    'another default',
    '/paths/~1books/get/parameters/1/schema/default',
    50,
    `${curl} '${url}/books'`,
    'accepted, but query/per_page is read differently',
  ],
  [
    'required credentials',
    '/paths/~1ping/get/security',
    [{ bearer: [] }],
    `curl -i --path-as-is '${url}/ping'`,
    '401: The request has no credentials that this operation accepts.',
  ],
])('shows %s by a request that was tried', async (_, at, value, command, revision) => {
  expect((await only(at, value)).map(({ proof }) => proof)).toEqual([
    { kind: 'request', seen: { curl: command, base: 'accepted', revision } },
  ]);
});

test.each([
  ['a header', '/paths/~1books/get/responses/200/headers/Link'],
  ['a media type', '/paths/~1books/get/responses/200/content/text~1csv'],
  ['a server', '/servers/1'],
  ['a webhook', '/webhooks/book.lost'],
])('says what was compared for %s that goes, because no request can show it', async (_, at) => {
  const sentence = `${at} is only in the base.`;
  expect((await only(at)).map(({ proof }) => proof)).toEqual([{ kind: 'compared', sentence }]);
});

test('requires a minor version for an announced removal, and marks it as early before its sunset date', async () => {
  const removed = applyChange(libraryContract(), [['/paths/~1books~1{isbn}/delete']]);
  for (const [date, state] of Object.entries({ [today]: 'due', '2025-12-31': 'early' })) {
    const { needed, breaking } = await compareContracts(libraryContract(), removed, date);
    expect([needed, breaking[0]?.plannedRemoval]).toEqual(['minor', { state, sunset: '2026-01-01' }]);
  }
  const [early] = await only('/paths/~1ping');
  expect(early?.plannedRemoval).toEqual({ state: 'early', sunset: '2999-01-01' });
});

const body = (request: object) => oneOperation({ request });

test('gives each of several changes at one location its own counterexample', async () => {
  const list = { type: 'array', items: { type: 'string' } };
  const before = body({ type: 'object', properties: { a: { type: 'string' }, c: list } });
  const after = body({
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: 'string', maxLength: 3 },
      c: { ...list, maxItems: 2, items: { type: 'string', minLength: 1 } },
    },
  });
  const { breaking } = await compareContracts(before, after, today);
  const shown = Object.fromEntries(
    breaking.map(({ message, proof }) => [message, proof.kind === 'payload' ? proof.value : proof]),
  );
  expect(Object.values(shown)).toHaveLength(4);
  const by = (part: string) => Object.entries(shown).find(([message]) => message.includes(part))?.[1];
  expect(by('became required')).toEqual({});
  expect(by('maxLength of a')).toEqual({ a: 'aaaa' });
  expect(by('maxItems of c')).toEqual({ a: '', c: ['a', 'a', 'a'] });
  expect(by('minLength')).toEqual({ a: '', c: [''] });
});

test.each<[string, (code: string) => unknown]>([
  ['enum', (code) => code],
  ['oneOf', (code) => ({ type: 'object', required: [code], properties: { [code]: true } })],
])('finds the one member of a long %s that a request loses', async (word, memberOf) => {
  const codes = Array.from({ length: 400 }, (_, at) => `code-${at}`);
  const bodyOf = (some: string[]) =>
    body({ properties: { a: { [word]: some.map((code) => memberOf(code)) } } });
  const { breaking } = await compareContracts(bodyOf(codes), bodyOf(codes.toSpliced(300, 1)), today);
  expect(breaking.map(({ proof }) => proof)).toMatchObject([{ kind: 'payload' }]);
});

test('finds a change inside ten lists and objects without a type', async () => {
  const inside = (schema: object, depth: number): object =>
    depth === 0 ? schema : { properties: { a: { items: inside(schema, depth - 2) } } };
  const bodyOf = (codes: string[]) => body(inside({ enum: codes }, 10));
  const { breaking } = await compareContracts(bodyOf(['a', 'b']), bodyOf(['a']), today);
  const value = { a: [{ a: [{ a: [{ a: [{ a: ['b'] }] }] }] }] };
  expect(breaking.map(({ proof }) => proof)).toMatchObject([{ kind: 'payload', value }]);
});

test('finds a new value in an object that requires a property which it does not list', async () => {
  const responseOf = (codes: string[]) =>
    oneOperation({ response: { type: 'object', required: ['b'], properties: { a: { enum: codes } } } });
  const { breaking } = await compareContracts(responseOf(['x']), responseOf(['x', 'y']), today);
  expect(breaking.map(({ proof }) => proof)).toMatchObject([{ kind: 'payload', value: { a: 'y' } }]);
});

test('reports one keyword that rejects many property names as one finding', async () => {
  const labels = { type: 'object', additionalProperties: false };
  const { breaking } = await compareContracts(
    body({ ...labels, patternProperties: { '^x-': { type: 'string' } } }),
    body(labels),
    today,
  );
  expect(breaking.map(({ rule }) => rule)).toEqual(['request-narrowed']);
});

test('for a removed path, uses the latest sunset date of its operations, and requires one for each', async () => {
  const responses = { 204: { description: '' } };
  const rest = { '/b': { get: { responses } } };
  const day = (sunset: string) => ({
    deprecated: true,
    'x-deprecated-since': '2020-01-01',
    'x-sunset': sunset,
  });
  const plannedRemoval = async (get: object, put: object) => {
    const item = { get: { ...get, responses }, put: { ...put, responses } };
    const before = oneOperation({ paths: { '/a': item, ...rest } });
    return (await compareContracts(before, oneOperation({ paths: rest }), today)).breaking[0]?.plannedRemoval;
  };
  for (const [sunset, state] of Object.entries({ '2026-11-22': 'due', '2026-11-23': 'early' }))
    expect(await plannedRemoval(day(sunset), day('2026-01-01'))).toEqual({ state, sunset });
  expect(await plannedRemoval(day('2026-01-01'), {})).toBeUndefined();
});

test('reports a removed value of a server variable with more values than are compared', async () => {
  const regions = Array.from({ length: 1_002 }, (_, index) => `region-${index}`);
  const contractFor = (values: readonly string[]) =>
    Object.assign(libraryContract(), {
      servers: [
        {
          url: 'https://{region}.books.example',
          variables: { region: { default: 'region-0', enum: values } },
        },
      ],
    });
  const { breaking } = await compareContracts(contractFor(regions), contractFor(regions.slice(0, -1)), today);
  expect(breaking.map(({ rule }) => rule)).toEqual(['server-removed']);
});

test('tries fewer smaller values of a counterexample with many rejections', () => {
  const holds = vi.fn(() => false);
  shrink(
    Array.from({ length: 300 }, () => 'text'),
    holds,
    100,
  );
  expect(holds).toHaveBeenCalledTimes(25);
});

type Verdict = 'breaking' | 'compatible';

/** Two versions of a contract, made after a public report about a tool that compares contracts. */
type PublicChange = { [verdict in Verdict]?: string } & { base: OneOperation; revision: OneOperation };

const publicChanges: PublicChange[] = readYaml(import.meta.dirname, 'labelled-changes/public-changes.yaml');

// `npm test` compares only every sixth pair. `npm run test:long` compares all.
const publicSample = publicChanges
  .filter((_, index) => isLong || index % 6 === 0)
  .map((change) => ({ ...change, name: change.breaking ?? change.compatible }));

test.each(publicSample)('$name', async ({ base, revision, breaking }) => {
  const before = await loadDocument(oneOperation(base));
  const after = await loadDocument(oneOperation(revision));
  const found = await compareContracts(before.document, after.document, '2026-11-28');
  const real = found.breaking.filter(({ plannedRemoval }) => plannedRemoval?.state !== 'due');
  const listed = JSON.stringify([real, found.undecided], null, 1);
  expect(real.length > 0, listed).toBe(breaking !== undefined);
  if (breaking === undefined) expect(found.undecided, listed).toEqual([]);
});
