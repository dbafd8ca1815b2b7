// Asks only for the number of contacts.
import { createClient } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

const { response } = await parley.GET('/api/v1/contacts', {
  params: { query: { per_page: 1, include_anonymous: true }, header: { Prefer: 'count=exact' } },
});
process.stdout.write(response.headers.get('X-Total-Count') ?? 'unknown');
