import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { updateRow } from '../../../server/storage/queries/rows.ts';
import { disableAllWebhooks } from '../../../server/storage/queries/webhooks.ts';
import { startDeliveryService, startWhileConnecting, until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

type Service = Awaited<ReturnType<typeof startWhileConnecting>>;

const updated = ({ api, webhook, receiver }: Service, change: object) =>
  api.updateWebhook(webhook, { verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url, ...change });

/** Changes after which a claimed delivery must not be sent to the webhook as it was. */
const changes: Record<string, (service: Service) => Promise<unknown>> = {
  'the webhook was deleted': ({ api, webhook }) => api.deleteWebhook(webhook),
  'its URL was changed': (service) => updated(service, { url: `${service.receiver.url}new` }),
  'its entity was changed': (service) => updated(service, { entity_id: 3 }),
  'the operator disabled it': ({ run, webhook }) =>
    run('webhook', 'update', '--webhook', webhook, '--enabled', 'no'),
  'its token was revoked and it was disabled': ({ run, tokenId }) =>
    run('token', 'revoke', '--token', tokenId, '--disable-webhooks'),
  'another worker disabled it': ({ store, company, webhook }) =>
    store.write((db) =>
      updateRow(
        db,
        'webhooks',
        { company_id: company.id, id: webhook },
        { disabled_at: Date.now(), disabled_why: 'failing' },
      ),
    ),
  'a restore disabled all webhooks': ({ store }) => store.write((db) => disableAllWebhooks(db, Date.now())),
  'its secret was rotated': ({ run, webhook }) => run('webhook', 'rotate-secret', '--webhook', webhook),
};

test.each(Object.keys(changes))('sends no delivery as it was claimed after %s', async (change) => {
  const service = await startWhileConnecting();
  await changes[change]?.(service);
  await service.connect();
  const outdated = service.receiver.calls.filter(({ url, headers }) => {
    const signatures = String(headers['webhook-signature']).split(' ').length;
    return url === '/' && signatures === 1;
  });
  expect(outdated).toEqual([]);
});

test.each([
  ['POST', 3],
  ['GET', 1],
])('sends no byte of a %s request after its delivery was canceled', async (_method, verb) => {
  const { api, webhook, connect, receiver } = await startWhileConnecting(verb);
  const bytes: Buffer[] = [];
  receiver.server.on('connection', (socket) => socket.on('data', (data) => bytes.push(data)));
  expect((await api.deleteWebhook(webhook)).status).toBe(200);
  await connect();
  expect([bytes, receiver.calls]).toEqual([[], []]);
});

test.each(['closes the connection', 'responds'])(
  'an attempt fails if the receiver %s before the claim has been checked',
  async (how) => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => {});
      socket.end(how === 'responds' ? 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' : '');
    });
    const { company, attempts } = await startDeliveryService({
      // Until the check ends, the receiver has closed the connection.
      wrapStore: (store) => ({ ...store, read: (work) => wait(50).then(() => store.read(work)) }),
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
    await company.webhook({ entity_id: 2, action_id: 1, url });
    await company.contact();
    await until(() => connections > 1 || attempts.length > 0);
    expect(connections).toBe(1);
    await until(() => attempts.length > 0);
    expect(attempts[0]).toMatchObject({ state: 'waiting', result: { problem: 'connection' } });
  },
);

test('sends deliveries although each read of the database takes more than a second', async () => {
  const receiver = await startReceiver();
  const { company, attempts } = await startDeliveryService({
    wrapStore: (store) => ({ ...store, read: (work) => wait(1_100).then(() => store.read(work)) }),
  });
  await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await company.contact();
  await until(() => attempts.length > 0, 20_000);
  expect(receiver.calls).toHaveLength(1);
});

async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
