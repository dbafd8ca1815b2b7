// Writes all contacts to a file, one JSON document per line.
import { appendFile } from 'node:fs/promises';
import { createClient } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

for await (const { items } of parley.pages('/api/v1/contacts', { params: { query: { per_page: 100 } } }))
  await appendFile('contacts.ndjson', items.map((contact) => `${JSON.stringify(contact)}\n`).join(''));
