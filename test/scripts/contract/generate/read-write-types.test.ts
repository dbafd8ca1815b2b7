import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { generateOperationTable } from '../../../../scripts/contract/generate/operations.ts';
import { schemasForTypes } from '../../../../scripts/contract/generate/schemas-for-types.ts';
import { generateTypes } from '../../../../scripts/contract/generate/types.ts';
import { compileErrors } from '../../../../scripts/lab/public-contracts/tools.ts';
import { createSchemaChecks } from '../../../../server/contract/schema-checks.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { contractOf, documentOf, readYaml, writeFiles } from '../../../support/documents.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';

interface Cases {
  schemas: Record<string, object>;
  cases: Record<string, { schema: object; value?: unknown; values?: unknown[]; mediaType?: string }>;
}
const { cases, schemas }: Cases = readYaml(import.meta.dirname, 'read-write-cases.yaml');
const names = Object.keys(cases);
const document = {
  openapi: '3.1.1',
  info: { title: 'Directions', version: '1.0.0' },
  components: { schemas },
  paths: Object.fromEntries(
    Object.values(cases).map(({ schema, mediaType = 'application/json' }, index) => {
      const content = { [mediaType]: { schema } };
      const responses = { 200: { description: 'Done.', content } };
      return [
        `/c${index}`,
        { post: { operationId: `c${index}`, requestBody: { required: true, content }, responses } },
      ];
    }),
  ),
};

/** Returns a value with each combination of its properties. */
function variantsOf(value: unknown): unknown[] {
  if (Array.isArray(value))
    return value.reduce<unknown[][]>(
      (lists, item) => lists.flatMap((list) => variantsOf(item).map((each) => [...list, each])),
      [[]],
    );
  if (!isObject(value)) return [value];
  return Object.entries(value).reduce<object[]>(
    (objects, [key, inner]) =>
      objects.flatMap((object) => [object, ...variantsOf(inner).map((each) => ({ ...object, [key]: each }))]),
    [{}],
  );
}

interface Verdict {
  name: string;
  place: string;
  value: string;
  /** Whether the compiled contract accepts the value. */
  isValid: boolean;
  line: string;
}

const places = ['request to a handler', 'response of a handler', 'request of a client'];

function verdictsOf(): Verdict[] {
  const compiled = compileContract(document);
  const { accepts } = createSchemaChecks(compiled);
  return compiled.operations.flatMap(({ id: operation, body, responses }, index) => {
    const {
      value,
      values = variantsOf(value),
      mediaType = 'application/json',
    } = cases[names[index] ?? ''] ?? {};
    const schemaOf = {
      request: body?.content[mediaType]?.schema ?? '',
      response: responses['200']?.content[mediaType]?.schema ?? '',
    };
    return values.flatMap((variant) => {
      const text = JSON.stringify(variant).replaceAll('"(file)"', 'new File([], "f")');
      const lines = [
        `(): Input<"${operation}"> => (${text});`,
        `(): Output<"${operation}"> => (${text});`,
        `client.POST("/${operation}", { body: ${text} });`,
      ];
      return places.map((place, at) => ({
        ...{ name: names[index] ?? '', place, value: text, line: lines[at] ?? '' },
        isValid: accepts(at !== 1 ? schemaOf.request : schemaOf.response, variant),
      }));
    });
  });
}

const head = `import createClient from 'openapi-fetch';
import type { InputOf, ResponseOf } from '${resolve('server/contract/handler-types.ts')}';
import type { OperationTypes, operations } from './operations.ts';
import type { paths } from './types.ts';
const client = createClient<paths>();
type Input<Id extends keyof OperationTypes> = InputOf<OperationTypes, typeof operations, Id, undefined>['body'];
type Output<Id extends keyof OperationTypes> = Extract<ResponseOf<OperationTypes, Id>, { status: 200; body: unknown }>['body'];
`;

const verdicts = verdictsOf();
/** Numbers of the lines that do not compile, from 0 for the first verdict. */
let refused: Set<number>;

beforeAll(async () => {
  const source = head.replace("'openapi-fetch'", `'${resolve('node_modules/openapi-fetch/dist/index.mjs')}'`);
  const files = {
    'use.ts': source + verdicts.map(({ line }) => line).join('\n'),
    'package.json': '{"type":"module"}',
    'types.ts': await generateTypes(document),
    'operations.ts': generateOperationTable(contractOf(document)),
  };
  const use = await writeFiles(files, afterAllTests);
  const lineIn = (text: string) => Number(/use\.ts[:(](\d+)/.exec(text)?.[1]) - head.split('\n').length;
  const errors = compileErrors([use], { noUnusedLocals: false });
  refused = new Set(errors.map(lineIn));
  expect(errors.filter((each) => !each.includes('use.ts'))).toEqual([]);
}, 120_000);

test.each(names)('types and the compiled contract agree about %s', (name) => {
  const wrong = verdicts.flatMap((verdict, index) =>
    verdict.name !== name || refused.has(index) !== verdict.isValid
      ? []
      : [`${verdict.place}: ${verdict.value} is ${verdict.isValid ? 'valid' : 'invalid'}`],
  );
  expect(wrong).toEqual([]);
});

test('the table has valid and invalid values in both directions', () => {
  for (const place of places)
    expect(new Set(verdicts.filter((each) => each.place === place).map(({ isValid }) => isValid)).size).toBe(
      2,
    );
});

test('callbacks, webhooks and shared path items may have the IDs of other operations', async () => {
  const item = (operationId: string, more = {}) => ({ post: { operationId, responses: {}, ...more } });
  const callbacks = (operationId: string) => ({ callbacks: { done: { '{$url}': item(operationId) } } });
  const source = await generateTypes(
    documentOf(
      { '/a': item('a', callbacks('a')), '/b': item('b', callbacks('c')) },
      { webhooks: { b: item('b'), c: item('c') }, components: { pathItems: { A: item('a') } } },
    ),
  );
  const [, operations = ''] = source.split('export interface operations {');
  expect(operations.match(/(?<=^ {4})\w+(?=: \{)/gm)).toEqual(['a', 'b', 'c']);
});

test('typed entries beside nested properties do not double with each level', () => {
  const sizeOf = (levels: number) => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < levels; level += 1)
      schema = { type: 'object', properties: { inner: schema }, additionalProperties: { type: 'string' } };
    return JSON.stringify(schemasForTypes(documentOf({}, { components: { schemas: { Nested: schema } } })))
      .length;
  };
  expect(sizeOf(20)).toBeLessThan(4 * sizeOf(10));
});
