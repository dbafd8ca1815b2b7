// Answers a conversation, and waits as long as the service asks for.
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

export async function answer(conversation: number, text: string): Promise<number> {
  const body = { conversation_id: conversation, type: 'text', payload: text } as const;
  const { data, error, response } = await parley.POST('/api/v1/messages', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body,
  });
  if (error) {
    await wait(1_000 * Number(response.headers.get('Retry-After') ?? 1));
    return answer(conversation, text);
  }
  return data.id;
}
