import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { checkWorkflows } from '../../../scripts/contract/check/checks/workflows.ts';
import { revokeToken } from '../../../server/storage/queries/tokens.ts';
import { until } from '../../server/delivery/delivery-service.ts';
import { startReceiver } from '../../server/delivery/webhook-receiver.ts';
import { createApiClient } from '../../support/api-client.ts';
import { concurrently, type Processes, startProcesses } from './service-processes.ts';

/** Starts a proxy that sends each request to the next process, like a load balancer. */
async function balanced(bases: readonly string[]): Promise<string> {
  let turn = 0;
  const server = createServer((req, res) => {
    turn += 1;
    const { method = '', url = '', headers } = req;
    const upstream = request(`${bases[turn % bases.length]}${url}`, { method, headers }, (response) => {
      res.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(res);
    });
    req.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs the contract's client workflows. With a load balancer as `base`, each request goes to the next process. */
async function runWorkflows(processes: Processes, base: string) {
  const { token, field, contact, conversation } = await processes.company();
  await field({ name: 'Customer number', isUnique: true });
  for (const first_name of ['Ada', 'Tomás', 'Mirjam']) {
    const caller_id = await contact({ first_name });
    await conversation({ caller_id });
  }
  return checkWorkflows({
    api: 'openapi/openapi.yaml',
    config: {},
    service: async () => ({ base, token }),
  } as never);
}

const events = 120;

/** Creates contacts through both processes, and verifies the signature of each event that the receiver gets. */
async function hearOfContacts({ company }: Processes) {
  const { any } = await company();
  const receiver = await startReceiver();
  const { headers } = await any().createWebhook({
    verb_id: 3,
    entity_id: 2,
    action_id: 1,
    url: receiver.url,
  });
  const verifier = new Webhook(headers.get('webhook-secret') ?? '');
  const made = await concurrently(events, (index) => any().createContact({ first_name: `Ada ${index}` }));
  await until(() => receiver.calls.length >= events, 20_000);
  const heard = receiver.calls.map((call) =>
    verifier.verify(call.body, call.headers as Record<string, string>),
  );
  return {
    made: made.map(({ body }) => body.id).sort(),
    heard: heard.map((event) => (event as { data: { id: number } }).data.id).sort(),
    sequences: new Set(heard.map((event) => (event as { meta: { sequence: number } }).meta.sequence)).size,
    /** Causes one more event. */
    more: () => any().createContact({ first_name: 'Ada' }),
  };
}

test('two API processes and two workers on one database run all workflows concurrently', async () => {
  const processes = await startProcesses(onTestFinished, {
    apis: 2,
    workers: 2,
    settings: { LOG_LEVEL: 'info' },
  });
  const base = await balanced(processes.bases);
  const [one, other, contacts] = await Promise.all([
    runWorkflows(processes, base),
    runWorkflows(processes, base),
    hearOfContacts(processes),
  ]);
  expect([one, other]).toEqual([
    { findings: [], summary: '6 workflows, 26 steps' },
    { findings: [], summary: '6 workflows, 26 steps' },
  ]);
  expect(contacts.heard).toEqual(contacts.made);
  expect(contacts.sequences).toBe(events);
  // Each worker sends some of the events. One may have been too slow for those so far.
  await expect
    .poll(async () => {
      await contacts.more();
      return processes.workers.filter(({ logged }) => !logged.join('').includes('"msg":"attempt"'));
    })
    .toEqual([]);
});

test("each process reads the other's writes, and both reject a revoked token within 1 s", async () => {
  const processes = await startProcesses(onTestFinished, { apis: 2 });
  const { any, id: company, token, tokenId } = await processes.company();
  for (let count = 0; count < 20; count += 1) {
    const { body } = await any().createContact({ first_name: `Ada ${count}` });
    expect((await any().getContact(body.id)).body.first_name).toBe(`Ada ${count}`);
  }
  const ask = () =>
    Promise.all(processes.bases.map((base) => createApiClient(base, token).listCustomFields()));
  expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
  await processes.store.write((db) => revokeToken(db, company, tokenId, Date.now()));
  await wait(1_000);
  for (const response of await ask()) expect(response).toBeApiError(401, 40104, 'header/Authorization');
});
