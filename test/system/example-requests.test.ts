import { expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { viewFor } from '../../scripts/contract/model/read-write-views.ts';
import { operationsOf, type RequestParameter } from '../../scripts/testing/requests/operations.ts';
import { serializeRequest } from '../../scripts/testing/requests/serialize.ts';
import { createSchemaContext } from '../../scripts/testing/schema-values/schema-context.ts';
import { demoService, statefulMock, staticMock } from '../scripts/testing/parity/targets.ts';
import { exampleParameters } from '../support/example-parameters.ts';

const operations = operationsOf(createSchemaContext(viewFor('requests', document)));

/** Each example body, or no body, with the examples of all parameters. */
const requests = operations.flatMap((operation) => {
  const of = (location: RequestParameter['in']) => exampleParameters(operation.parameters, location);
  const parts = { operation, path: of('path'), query: of('query'), header: of('header'), cookie: {} };
  const bodies = (operation.body?.content ?? []).flatMap(({ mediaType, examples }) =>
    examples.map(({ name, value }) => ({ name, body: { mediaType, value } })),
  );
  return bodies.length === 0
    ? [{ name: operation.id, request: parts }]
    : bodies.map(({ name, body }) => ({ name: `${operation.id} ${name}`, request: { ...parts, body } }));
});

const targets = {
  'the service': () => demoService(),
  'the stateful mock': () => statefulMock(Date.now),
  'the mock': staticMock,
};

test.each(Object.keys(targets) as (keyof typeof targets)[])(
  'every example request of the contract succeeds with %s, and lists are not empty',
  async (name) => {
    const outcomes: string[] = [];
    for (const { name: what, request } of requests) {
      // An example of its own world: a deleted webhook cannot be updated.
      const { send, tokenWith } = await targets[name]();
      const wire = serializeRequest(request);
      const { status, text } = await send({
        ...wire,
        headers: { ...wire.headers, Authorization: tokenWith('all') },
      });
      const isFilled = wire.method !== 'GET' || JSON.parse(text).length !== 0;
      outcomes.push(`${what}: ${status < 300 && isFilled ? 'succeeds' : `${status} ${text}`}`);
    }
    expect(outcomes).toEqual(requests.map(({ name: what }) => `${what}: succeeds`));
  },
);

test('the demo company is the company of the examples', async () => {
  const { send, tokenWith } = await demoService();
  const get = (path: string) =>
    send({
      method: 'GET',
      target: `/api/v1${path}`,
      headers: { Authorization: tokenWith('all') },
      body: undefined,
    });
  const { Contact4021, Conversation880, Message51003, CustomFields, ContactsFound } =
    document.components.examples;
  const contact = await get('/contacts/4021');
  expect(JSON.parse(contact.text)).toEqual(Contact4021.value);
  expect(contact.headers.etag).toBe(document.components.parameters.IfMatch.example);
  expect(JSON.parse((await get('/conversations/880')).text)).toEqual(Conversation880.value);
  expect(JSON.parse((await get('/messages/51003')).text)).toEqual(Message51003.value);
  expect(JSON.parse((await get('/fields')).text)).toEqual(CustomFields.value);
  expect(JSON.parse((await get('/contacts/search?query=lindqvist')).text)).toEqual(ContactsFound.value);
});
