// Renders the messages of a conversation as HTML.
import { createClient, type Message } from 'parley-client';

const parley = createClient({ baseUrl: '/', token: '' });

const escaped = (text: string) => text.replaceAll('<', '&lt;');

function bubble({ payload, user_id, created_at }: Message): string {
  const side = user_id === null ? 'left' : 'right';
  return `<p class="${side}" title="${created_at}">${escaped(String(payload))}</p>`;
}

const { messages, is_closed } = await parley.throwing.GET('/api/v1/conversations/{id}', {
  params: { path: { id: 880 } },
});
document.body.innerHTML = messages.map(bubble).join('') + (is_closed ? '<p>Closed</p>' : '');
