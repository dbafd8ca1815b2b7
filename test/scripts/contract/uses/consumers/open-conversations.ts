// Counts the open conversations of the last day by service.
import { createClient } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

const counts = new Map<string, number>();
const since = new Date(Date.now() - 86_400_000).toISOString();
for await (const conversation of parley.items('/api/v1/all/conversations', {
  params: { query: { date_from: since } },
})) {
  if (conversation.is_closed || conversation.archived) continue;
  counts.set(conversation.service, (counts.get(conversation.service) ?? 0) + 1);
}
process.stdout.write(JSON.stringify(Object.fromEntries(counts)));
