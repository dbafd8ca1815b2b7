import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { validateExamples } from '../../../../scripts/contract/check/checks/examples.ts';
import { contractOf } from '../../../support/documents.ts';

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

const encoded = (text: string) => Buffer.from(text).toString('base64url');
const integer = { type: 'integer' };

/** Returns a contract with one response, one header and one event. */
function contract({
  body = { id: 1 },
  header = 1,
  event = encoded('{"id":1}'),
  schema = {},
}: {
  body?: unknown;
  header?: unknown;
  event?: unknown;
  schema?: object;
}) {
  const shown = { type: 'object', properties: { id: { ...integer, readOnly: true }, ...schema } };
  const response = {
    headers: { 'X-Left': { schema: integer, example: header } },
    content: { 'application/json': { schema: shown, examples: { one: { value: body } } } },
  };
  const contentSchema = { type: 'object', required: ['id'] };
  const json = { contentEncoding: 'base64url', contentMediaType: 'application/json', contentSchema };
  const payload = { name: 'payload', in: 'query', schema: { type: 'string', ...json }, example: event };
  return contractOf({
    paths: { '/things': { get: { responses: { 200: response } } } },
    webhooks: { done: { get: { parameters: [payload] } } },
  });
}

const response = '/paths/~1things/get/responses/200';
const decoded = [
  'GET webhook done query payload, decoded',
  '/webhooks/done/get/parameters/0/example',
] as const;

test.each<[string, Parameters<typeof contract>[0], where: string, path: string]>([
  [
    'a response',
    { body: { id: 'one' } },
    'GET /things 200 application/json',
    `${response}/content/application~1json/examples/one/value`,
  ],
  ['a header', { header: 'many' }, 'GET /things 200 header x-left', `${response}/headers/X-Left/example`],
  ['an encoded value', { event: encoded('{}') }, ...decoded],
  ['an invalid encoding', { event: 'e30=x' }, ...decoded],
  [
    'an inline schema',
    { schema: { size: { type: 'integer', examples: [1, 'big'] } } },
    'a schema of GET /things 200 application/json',
    `${response}/content/application~1json/schema/properties/size/examples/1`,
  ],
  [
    'a property with a slash in its name',
    { schema: { 'size/cm': { ...integer, example: 'big' } } },
    'a schema of GET /things 200 application/json',
    `${response}/content/application~1json/schema/properties/size~1cm/example`,
  ],
])('reports an invalid example with its location: %s', (_, changes, where, path) => {
  const wrongIn = (given: Parameters<typeof contract>[0]) =>
    validateExamples(contract(given)).filter(({ problems }) => problems.length > 0);
  expect(wrongIn({})).toEqual([]);
  expect(wrongIn(changes).map((each) => [each.where, each.path])).toEqual([[where, path]]);
});
