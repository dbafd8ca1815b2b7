import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createMock, mockToken, scenarios } from '../../../../generated/mock.js';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { viewFor } from '../../../../scripts/contract/model/read-write-views.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { loadMock } from '../../../../scripts/contract/survive/load-mock.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { serializeRequest } from '../../../../scripts/testing/requests/serialize.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { writeDocument, writeFiles } from '../../../support/documents.ts';
import { exampleRequests } from '../../../support/example-requests.ts';

const context = createSchemaContext(viewFor('responses', document));
const responses = new Map(operationsOf(context).map((operation) => [operation.id, operation]));

/** The first example request of each operation. */
const requests = new Map(
  exampleRequests.toReversed().map(({ request }) => {
    const { method, target, headers, body } = serializeRequest(request);
    const given = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const init = { method, headers: Object.fromEntries(given), ...(body === undefined ? {} : { body }) };
    return [request.operation.id, new Request(new URL(target, 'http://mock'), init)];
  }),
);

/** Returns a response's violations of the contract. */
async function violationsIn(id: string, response: Response): Promise<string[]> {
  const documented = responses.get(id)?.responses ?? {};
  const spec = documented[String(response.status)] ?? documented.default;
  if (!spec) return [`${response.status} is not documented`];
  const text = await response.text();
  const [type] = spec.content;
  if (!type) return text === '' ? [] : ['a body'];
  const [given = ''] = (response.headers.get('Content-Type') ?? '').toLowerCase().split(';');
  if (given !== type.mediaType) return [`${given} instead of ${type.mediaType}`];
  return context
    .violationsOf(type.schema, JSON.parse(text))
    .map(({ keyword, location }) => `${keyword} ${location}`);
}

const legal = scenarios.filter(({ class: kind }) => kind === 'documented' || kind === 'http');

test.each(legal.map(({ name }) => name))(
  'each response of the scenario %s conforms to the contract',
  async (name) => {
    const mock = createMock({ scenario: name, token: mockToken });
    // At the same time, because some bodies are slow.
    const violations = Array.from(requests, async ([id, request]) =>
      violationsIn(id, await mock.fetch(request.clone())),
    );
    expect((await Promise.all(violations)).flat()).toEqual([]);
    const changed = mock.requests.filter((request) => request.changed);
    expect(changed.length > 0 || unused.includes(name)).toBe(true);
  },
);

/** Scenarios that apply to no response of this contract: its properties are required, and its integers have a maximum. */
const unused = ['absent-properties', 'large-integers'];

test('a scenario of an operation or a value changes nothing else', async () => {
  const body = async (scenario?: Parameters<typeof createMock>[0]) => {
    const mock = createMock({ ...scenario, token: mockToken });
    const [contact, fields] = [await mock.fetch('/api/v1/contacts/4021'), await mock.fetch('/api/v1/fields')];
    return { contact: await contact.json(), fields: await fields.json() };
  };
  const usual = await body();
  const location = await body({
    scenario: { name: 'nulls', operations: ['getContact'], locations: ['/last_name'] },
  });
  expect(location).toEqual({ ...usual, contact: { ...usual.contact, last_name: null } });
  const other = await body({ scenario: { name: 'empty-lists', operations: ['listCustomFields'] } });
  expect(other).toEqual({ ...usual, fields: [] });
});

test('an unknown scenario is an error that lists all', () => {
  expect(() => createMock({ scenario: 'nothing' })).toThrow(
    `There is no scenario nothing. Scenarios: ${scenarios.map(({ name }) => name).join(', ')}.`,
  );
});

test('a response has another documented media type only if the request admits it', async () => {
  const api = 'node_modules/@readme/oas-examples/3.0/json/response-multiple-mediatypes.json';
  const module = await loadMock(await loadContract(api), withDefaults({}), api);
  expect(module.scenarios.map(({ name }) => name)).toContain('media-types');
  const mock = module.createMock({ scenario: { name: 'media-types' } });
  const typeFor = async (headers: Record<string, string>) => {
    const url = 'http://mock/multiple-types-single-example';
    const response = await mock.fetch(new Request(url, { method: 'POST', headers }));
    return response.headers.get('Content-Type')?.split(';')[0];
  };
  const types = [{}, { Accept: 'application/json' }, { Accept: 'text/*;q=0.1' }, { Accept: 'text/*;q=0' }];
  expect(await Promise.all(types.map(typeFor))).toEqual([
    'text/plain',
    'application/json',
    'text/plain',
    'application/json',
  ]);
});

test('only some values of a large body are changed, because each change is validated with the whole body', async () => {
  const example = Array(20_000).fill('a'.repeat(100));
  const schema = { type: 'array', items: { type: ['string', 'null'] } };
  const content = { 'application/json': { schema, example } };
  const document = {
    openapi: '3.1.1',
    info: {},
    paths: { '/a': { get: { responses: { 200: { content } } } } },
  };
  const api = await writeDocument(document);
  const { createMock: create } = await loadMock(await loadContract(api), withDefaults({}), api);
  const response = await create({ scenario: { name: 'nulls' } }).fetch('http://mock/a');
  const values: unknown[] = await response.json();
  expect(values.filter((value) => value === null).length).toBeLessThan(20);
});

test('an addition that the API does not promise is not made', async () => {
  const contract = await readFile('test/scripts/contract/survive/tickets.yaml', 'utf8');
  const stateIn = async (promises: string) => {
    const api = await writeFiles({ 'tickets.yaml': contract, 'promises.yaml': promises });
    const { createMock: create } = await loadMock(await loadContract(api), withDefaults({}), api);
    const request = new Request('http://mock/v1/tickets/1', { headers: { Authorization: 'Bearer t' } });
    const response = await create({ scenario: { name: 'new-enum-values' } }).fetch(request);
    return (await response.json()).state;
  };
  expect(await stateIn('properties: the README')).toBe('open');
  expect(await stateIn('enum-values: the README')).toBe('added_later');
  await expect(stateIn('enums: the README')).rejects.toThrow(
    /promises\.yaml has enums: .*Allowed are properties,/,
  );
});
