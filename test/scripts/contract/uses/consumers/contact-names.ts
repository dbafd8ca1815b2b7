// Prints the name and the address of each contact.
import { createClient } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

for await (const { first_name, last_name, email_address } of parley.items('/api/v1/contacts')) {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  process.stdout.write(`${name || 'Anonymous'} <${email_address ?? ''}>\n`);
}
