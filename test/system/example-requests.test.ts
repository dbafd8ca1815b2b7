import { expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { once } from '../../scripts/lib/once.ts';
import { serializeRequest } from '../../scripts/testing/requests/serialize.ts';
import { exampleRequests } from '../support/example-requests.ts';
import { exampleTargets, startDemoService } from './example-targets.ts';

test.each(Object.entries(exampleTargets))(
  'every example request of the contract succeeds with %s, and lists are not empty',
  async (_name, prepare) => {
    const start = prepare();
    const forReads = once(start);
    const failures: string[] = [];
    for (const { name: what, request } of exampleRequests) {
      const wire = serializeRequest(request);
      // Others have a world of their own: a deleted webhook cannot be updated.
      const send = await (wire.method === 'GET' ? forReads() : start());
      const { status, text } = await send(wire);
      const isFilled = wire.method !== 'GET' || JSON.parse(text).length !== 0;
      if (status >= 300 || !isFilled) failures.push(`${what}: ${status} ${text}`);
    }
    // As a text, because the message of a test shortens lists.
    expect(failures.join('\n')).toBe('');
  },
);

test('the demo company is the company of the examples', async () => {
  const send = await startDemoService();
  const get = (path: string) =>
    send({ method: 'GET', target: `/api/v1${path}`, headers: {}, body: undefined });
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
