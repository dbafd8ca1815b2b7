// Registers a webhook, moves it to another URL, and removes it.
import { createClient } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

const webhook = { verb_id: 2, entity_id: 2, action_id: 1, url: 'https://shop.example.com/hook' } as const;
const { data, error, response } = await parley.POST('/api/v1/webhooks', {
  params: { header: { 'Idempotency-Key': 'shop' } },
  body: webhook,
});
if (error) throw error;
const secret = response.headers.get('Webhook-Secret');
process.stdout.write(`${data} ${secret?.length}`);
const path = { id: data };
await parley.throwing.PUT('/api/v1/webhooks/{id}', {
  params: { path },
  body: { ...webhook, url: 'https://shop.example.com/other' },
});
await parley.throwing.DELETE('/api/v1/webhooks/{id}', { params: { path } });
