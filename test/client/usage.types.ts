import type { Contact, ParleyClient, ParleyError } from '../../client/index.ts';
import type { Received } from '../../client/webhooks.ts';

// This file is compiled but never run. package.sqlite.test.ts also compiles it against the packed client, in a project
// without other packages.

export async function calls(client: ParleyClient) {
  const path = '/api/v1/contacts/{id}';
  const found = await client.GET(path, { params: { path: { id: 1 } } });
  if (found.error) same<ParleyError>()(found.error);
  else same<Contact>()(found.data);
  same<Contact>()(await client.throwing.GET(path, { params: { path: { id: 1 } } }));
  same<number>()(
    await client.throwing.POST('/api/v1/webhooks', {
      body: { verb_id: 3, entity_id: 1, action_id: 2, url: 'https://a.example' },
    }),
  );
  await client.changeContact(1, (contact) => ({ ...contact, status: 'online' }));
  await client.GET('/api/v1/contacts');

  // @ts-expect-error There is no such path.
  await client.GET('/api/v1/contact');
  // @ts-expect-error A contact cannot be deleted.
  await client.DELETE(path, { params: { path: { id: 1 } } });
  // @ts-expect-error The number is missing.
  await client.GET(path);
  // @ts-expect-error A number is a number.
  await client.GET(path, { params: { path: { id: '1' } } });
  // @ts-expect-error No such query parameter.
  await client.GET('/api/v1/contacts', { params: { query: { limit: 1 } } });
  // @ts-expect-error No such option.
  await client.GET('/api/v1/contacts', { parms: {} });
  // @ts-expect-error An unknown property, although none is required.
  await client.POST('/api/v1/contacts', { body: { first_nam: 'Ada' } });
  // @ts-expect-error The payload is missing.
  await client.POST('/api/v1/messages', { body: { conversation_id: 1, type: 'text' } });
  // @ts-expect-error No such kind of message.
  await client.POST('/api/v1/messages', { body: { conversation_id: 1, type: 'txt', payload: 'a' } });
  // @ts-expect-error The data is undefined until the error is checked.
  found.data.first_name;
  // @ts-expect-error An update names everything that can be written.
  await client.PUT(path, { params: { path: { id: 1 } }, body: { first_name: 'Ada' } });
  // @ts-expect-error What is not paged has no pages.
  client.pages('/api/v1/fields');
  // @ts-expect-error What is given back must be a contact.
  await client.changeContact(1, (contact) => contact.first_name);
}

export function receive({ form, event }: Received) {
  if (event.type === 'message.created' && form === 'full') same<string>()(event.data.payload);
  if (event.type === 'contact.deleted' && form === 'short') same<{ id: number }>()(event.data);
  // @ts-expect-error The contract has no such event.
  if (form !== 'unknown' && event.type === 'contact.vanished') return;
  if (form === 'unknown') same<unknown>()(event.data);
  // @ts-expect-error In the short form there is a number alone.
  if (form === 'short') event.data.first_name;
}

/** Accepts only values of exactly the type `Wanted`; `any` does not compile. */
function same<Wanted>() {
  return <Given>(_given: Given & (Exact<Wanted, Given> extends true ? unknown : never)) => {};
}

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
