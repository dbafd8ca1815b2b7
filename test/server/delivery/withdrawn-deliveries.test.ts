import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTcpServer } from '../../support/start-tcp-server.ts';
import { startWebhook, startWhileConnecting, until } from './delivery-service.ts';

type Service = Awaited<ReturnType<typeof startWhileConnecting>>;

/** Changes after which a claimed delivery must not be sent to the webhook as it was. */
const changes: Record<string, (service: Service) => Promise<unknown>> = {
  'the webhook was deleted': ({ api, webhook }) => api.deleteWebhook(webhook),
  'its URL was changed': ({ update, receiver }) => update({ url: `${receiver.url}new` }),
  'its entity was changed': ({ update }) => update({ entity_id: 3 }),
  'the operator disabled it': ({ company, webhook }) =>
    company.run(`webhook update --webhook ${webhook} --enabled no`),
  'its secret was rotated': ({ company, webhook }) =>
    company.run(`webhook rotate-secret --webhook ${webhook}`),
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
    const port = await startTcpServer((socket) => {
      connections += 1;
      socket.end(how === 'responds' ? 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' : '');
    });
    const { company, attempts } = await startWebhook(undefined, {
      webhook: { url: `http://127.0.0.1:${port}/` },
      // Until the check ends, the receiver has closed the connection.
      wrapStore: (store) => ({ ...store, read: (work) => wait(50).then(() => store.read(work)) }),
    });
    await company.contact();
    await until(() => connections > 1 || attempts.length > 0);
    expect(connections).toBe(1);
    await until(() => attempts.length > 0);
    expect(attempts[0]).toMatchObject({ state: 'waiting', result: { problem: 'connection' } });
  },
);

test('sends deliveries although each read of the database takes more than a second', async () => {
  const { company, attempts, receiver } = await startWebhook(undefined, {
    wrapStore: (store) => ({ ...store, read: (work) => wait(1_100).then(() => store.read(work)) }),
  });
  await company.contact();
  await until(() => attempts.length > 0, 20_000);
  expect(receiver.calls).toHaveLength(1);
});
