// Suggests contacts while a user types. Own types keep the rest of the program independent of the API.
import { createClient } from 'parley-client';

interface Suggestion {
  id: number;
  telephone_number: string | null;
}

const parley = createClient({ baseUrl: '/', token: '' });

async function suggest(query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const { data, error } = await parley.GET('/api/v1/contacts/search', {
    params: { query: { query, per_page: 5 } },
    signal,
  });
  if (error) throw error;
  return data;
}

const labels = (suggestions: readonly Suggestion[]) =>
  suggestions.map(({ id, telephone_number }) => `${telephone_number ?? 'no number'} (${id})`);

process.stdout.write(labels(await suggest('ada', new AbortController().signal)).join('\n'));
