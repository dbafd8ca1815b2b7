import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { validateExamples } from '../../../../scripts/contract/check/validate-examples.ts';
import { contractOf } from '../../../support/contract-of.ts';

const found = validateExamples(contractOf(document));

test('every example of our contract is valid: requests, responses, headers and events', () => {
  expect(found.filter(({ problems }) => problems.length > 0)).toEqual([]);
  const of = (part: RegExp) => found.filter(({ where }) => part.test(where)).length;
  for (const part of [
    / body application\/json$/,
    / 20\d application\/json$/,
    / 4\d\d application\/json$/,
    / header /,
    /^POST webhook .* body /,
    /^GET webhook .* query .*, decoded$/,
  ])
    expect(of(part), String(part)).toBeGreaterThan(10);
});

/** Returns a contract with one response, one header and one event. */
const contract = (changes: { body?: unknown; header?: unknown; event?: unknown; schema?: object }) => ({
  openapi: '3.1.1',
  paths: {
    '/things': {
      get: {
        responses: {
          200: {
            headers: { 'X-Left': { schema: { type: 'integer' }, example: changes.header ?? 1 } },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { id: { type: 'integer', readOnly: true }, ...changes.schema },
                },
                examples: { one: { value: changes.body ?? { id: 1 } } },
              },
            },
          },
        },
      },
    },
  },
  webhooks: {
    done: {
      get: {
        parameters: [
          {
            name: 'payload',
            in: 'query',
            schema: {
              type: 'string',
              contentEncoding: 'base64url',
              contentMediaType: 'application/json',
              contentSchema: { type: 'object', required: ['id'] },
            },
            example: changes.event ?? Buffer.from('{"id":1}').toString('base64url'),
          },
        ],
      },
    },
  },
});

test.each<[string, Parameters<typeof contract>[0], string, string]>([
  [
    'a response',
    { body: { id: 'one' } },
    'GET /things 200 application/json',
    '/paths/~1things/get/responses/200/content/application~1json/examples/one/value',
  ],
  [
    'a header',
    { header: 'many' },
    'GET /things 200 header x-left',
    '/paths/~1things/get/responses/200/headers/X-Left/example',
  ],
  [
    'an encoded value',
    { event: Buffer.from('{}').toString('base64url') },
    'GET webhook done query payload, decoded',
    '/webhooks/done/get/parameters/0/example',
  ],
  [
    'an invalid encoding',
    { event: 'e30=x' },
    'GET webhook done query payload, decoded',
    '/webhooks/done/get/parameters/0/example',
  ],
  [
    'an inline schema',
    { schema: { size: { type: 'integer', examples: [1, 'big'] } } },
    'a schema of GET /things 200 application/json',
    '/paths/~1things/get/responses/200/content/application~1json/schema/properties/size/examples/1',
  ],
])('reports an invalid example with its location: %s', (_, changes, where, path) => {
  expect(validateExamples(contractOf(contract({}))).filter(({ problems }) => problems.length > 0)).toEqual(
    [],
  );
  const wrong = validateExamples(contractOf(contract(changes))).filter(({ problems }) => problems.length > 0);
  expect(wrong.map((each) => [each.where, each.path])).toEqual([[where, path]]);
});
