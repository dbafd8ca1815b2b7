import { expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { startDelivering, until } from './delivering.ts';
import { startReceiver } from './receiver.ts';

test('an event reaches its address, signed, and is delivered then', async () => {
  const receiver = await startReceiver();
  const { api, company, attempts } = await startDelivering();
  const created = await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: `${receiver.url}in` });
  const contact = await company.contact();
  await until(() => attempts.length === 1);
  const [call] = receiver.calls;
  expect(call).toMatchObject({ method: 'POST', url: '/in' });
  const secret = created.headers.get('webhook-secret') ?? '';
  const event = new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>);
  expect(event).toMatchObject({ type: 'contact.created', data: { id: contact } });
  expect(await company.events(created.body)).toMatchObject([{ state: 'delivered', attempts: 1, due_at: null }]);
});
