// Shows the custom fields of a contact, in the order of the company.
import { type CustomField, createClient } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

const sorted = <Item extends { order: number }>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => one.order - other.order);

const fields: CustomField[] = await parley.throwing.GET('/api/v1/fields');
const contact = await parley.throwing.GET('/api/v1/contacts/{id}', { params: { path: { id: 4021 } } });
for (const { id, name } of sorted(fields)) {
  const value = contact.fields.find((field) => field.id === id)?.value;
  process.stdout.write(`${name}: ${String(value ?? '')}\n`);
}
