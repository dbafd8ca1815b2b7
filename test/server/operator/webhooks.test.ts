import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { startDeliveryService, until } from '../delivery/delivery-service.ts';
import { type ReceiverHandler, startReceiver } from '../delivery/webhook-receiver.ts';
import { createCli } from './cli.ts';

/** Starts a service with a webhook that sends to a receiver, and creates the operator's CLI for the service. */
async function withOperator(response?: ReceiverHandler) {
  const clock = { ahead: 0 };
  const receiver = await startReceiver(response);
  const service = await startDeliveryService({ now: () => Date.now() + clock.ahead });
  const { api, company, database, variables } = service;
  const created = await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url });
  const webhook: number = created.body;
  const parley = createCli(database.url, variables);
  const of = ['--company', String(company.id), '--webhook', String(webhook)];
  return {
    ...service,
    clock,
    receiver,
    webhook,
    secret: created.headers.get('webhook-secret') ?? '',
    parley,
    of,
    json: async (...given: string[]) => JSON.parse((await parley(...given, '--json')).out),
    states: async () => (await company.events(webhook)).map(({ state }) => state),
  };
}

test('disabling a webhook keeps its events, and enabling it sends them', async () => {
  const { parley, of, json, company, attempts, states } = await withOperator();
  await company.contact();
  await until(() => attempts.length === 1);
  expect(await parley('webhook', 'update', ...of, '--enabled', 'no')).toMatchObject({
    code: 0,
    out: expect.stringContaining('disabled.'),
  });
  await company.contact();
  await company.contact();
  expect(await states()).toEqual(['delivered', 'paused', 'paused']);
  expect(await json('webhook', 'list', ...of)).toMatchObject({
    event: 'contact.created',
    disabled_why: 'operator',
    last_sequence: 3,
    deliveries: { delivered: 1, paused: 2 },
  });
  expect((await parley('webhook', 'list', '--company', String(company.id))).out).toContain('off (operator)');
  expect((await parley('webhook', 'update', ...of, '--enabled', 'no')).out).toContain('already');

  expect((await parley('webhook', 'update', ...of, '--enabled', 'yes')).out).toContain('enabled.');
  await until(() => attempts.length === 3);
  expect(await states()).toEqual(['delivered', 'delivered', 'delivered']);
  expect((await parley('webhook', 'update', ...of, '--enabled', 'yes')).out).toContain('already');
  expect((await parley('webhook', 'list', ...of)).out).toMatch(/state\s+on/);
});

test('signs events with the old and the new secret for a day after a rotation', async () => {
  const { parley, of, json, company, attempts, secret, receiver, clock, worker } = await withOperator();
  const shown = await json('webhook', 'rotate-secret', ...of);
  expect(shown.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Date.parse(shown.previous_secret_until)).toBeGreaterThan(Date.now() + 23.9 * 3_600_000);
  await company.contact();
  await until(() => attempts.length === 1);
  const verified = (using: string) => {
    const call = receiver.calls.at(-1);
    try {
      new Webhook(using).verify(call?.body ?? '', call?.headers as Record<string, string>, {
        jsonParse: false,
      });
      return true;
    } catch (error) {
      return String(error).includes('signature') ? false : String(error);
    }
  };
  expect([verified(shown.secret), verified(secret)]).toEqual([true, true]);
  expect(receiver.calls.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);

  clock.ahead = 25 * 3_600_000;
  await company.contact();
  worker.wake();
  await until(() => attempts.length === 2);
  expect(receiver.calls.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  expect((await parley('webhook', 'rotate-secret', ...of)).out).toContain('not shown again');
});

test('webhook test sends a signed example event, and does not record it as a delivery', async () => {
  const { parley, of, json, company, receiver, secret, webhook } = await withOperator();
  const result = await json('webhook', 'test', ...of);
  expect(result).toMatchObject({ id: webhook, status: 200 });
  const [call] = receiver.calls;
  expect(call?.headers['webhook-id']).toMatch(new RegExp(`^msg_${webhook}_test_[0-9a-f]{12}$`));
  const event = new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>);
  expect(event).toMatchObject({
    type: 'contact.created',
    meta: { webhook_id: webhook, company_id: company.id },
  });
  expect(await company.events(webhook)).toEqual([]);
  receiver.respondWith((_call, res) => res.writeHead(500).end('broken'));
  expect(await parley('webhook', 'test', ...of)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/500[\s\S]*broken/),
  });
});

test('delivery list prints attempts, and personal data only with --payload', async () => {
  const { parley, of, json, company, attempts, webhook } = await withOperator((_call, res) =>
    res.writeHead(503).end('try later'),
  );
  await company.contact({ first_name: 'Secretly' });
  await until(() => attempts.length === 1);
  const [listed] = await json('delivery', 'list', ...of);
  expect(listed).toMatchObject({
    id: `msg_${webhook}_1`,
    state: 'waiting',
    attempts: 1,
    claimed: false,
    log: [{ status: 503, answer: 'try later' }],
  });
  const one = ['--company', String(company.id), '--delivery', `msg_${webhook}_1`];
  const shown = await parley('delivery', 'list', ...one);
  expect(shown.out).toMatch(/503[\s\S]*try later/);
  expect((await parley('delivery', 'list', ...of)).out + shown.out).not.toContain('Secretly');
  expect((await parley('delivery', 'list', ...one, '--payload')).out).toContain('Secretly');
  expect(await json('delivery', 'list', ...of, '--state', 'delivered')).toEqual([]);
  expect(await json('delivery', 'list', ...of, '--to', '2020-01-01')).toEqual([]);
  expect(await parley('delivery', 'list', ...one.slice(0, 3), `msg_${webhook}_9`)).toMatchObject({ code: 1 });
  expect(await parley('delivery', 'list', ...one.slice(0, 3), 'nonsense')).toMatchObject({ code: 2 });
});

test('delivery replay sends an event again with the same ID, and does not change failing_since', async () => {
  const { json, parley, company, attempts, receiver, webhook, store, of } = await withOperator();
  const failingSince = async () =>
    (await store.read((db) => db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow())).failing_since;
  await company.contact();
  await company.contact();
  await until(() => attempts.length === 2);
  receiver.respondWith((_call, res) => res.writeHead(500).end());
  const one = ['--company', String(company.id), '--delivery', `msg_${webhook}_1`];
  expect(await json('delivery', 'replay', ...one)).toEqual({ replayed: 1 });
  await until(() => attempts.length === 3);
  expect(
    receiver.calls.map(({ headers }) => headers['webhook-id']).filter((id) => id === `msg_${webhook}_1`),
  ).toHaveLength(2);
  expect(await failingSince()).toBe(null);

  await company.contact();
  await until(() => attempts.length === 4);
  expect(await failingSince()).toBeGreaterThan(0);
  receiver.respondWith((_call, res) => res.end());
  expect(await json('delivery', 'replay', ...of, '--only', 'failed')).toEqual({ replayed: 2 });
  await until(() => attempts.length === 6);
  expect(await failingSince()).toBeGreaterThan(0);
  expect(await json('delivery', 'replay', ...of, '--only', 'exhausted')).toEqual({ replayed: 0 });
  expect(await json('delivery', 'replay', ...of, '--from', '2020-01-01')).toEqual({ replayed: 3 });
  await until(() => attempts.length === 9);
  expect(await json('delivery', 'replay', ...of, '--to', '2020-01-01')).toEqual({ replayed: 0 });

  for (const wrong of [[], ['--webhook', '1', '--delivery', 'msg_1_1'], ['--only', 'failed']])
    expect(await parley('delivery', 'replay', '--company', '1', ...wrong)).toMatchObject({ code: 2 });
  await parley('webhook', 'update', ...of, '--enabled', 'no');
  expect(await parley('delivery', 'replay', ...one)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Enable it first'),
  });
});

test('operator commands for a webhook of another company fail and change nothing', async () => {
  const { parley, webhook, base, store, company } = await withOperator();
  const { createCompany: makeCompany } = await import('../../support/service.ts');
  const other = await makeCompany(store, base);
  for (const command of [
    ['list'],
    ['update', '--enabled', 'no'],
    ['update', '--enabled', 'yes'],
    ['rotate-secret'],
    ['test'],
  ]) {
    const ended = await parley(`webhook ${command.join(' ')} --company ${other.id} --webhook ${webhook}`);
    expect(ended, command[0]).toMatchObject({ code: 1, err: expect.stringContaining('has no webhook') });
  }
  expect(
    await parley('delivery', 'replay', '--company', String(other.id), '--webhook', String(webhook)),
  ).toMatchObject({ code: 1 });
  expect(
    await store.read((db) => db.selectFrom('webhooks').select(['disabled_at', 'previous_secret']).execute()),
  ).toEqual([{ disabled_at: null, previous_secret: null }]);
  expect(company.id).not.toBe(other.id);
});

test('webhook list names the tokens that created and changed it, and token revoke can disable webhooks', async () => {
  const { api, company, parley, json, of, webhook } = await withOperator();
  const ofCompany = ['--company', String(company.id)];
  const { api: other, id: otherId } = await company.token();
  const body = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://hooks.example.com/other' };
  const { body: second } = await other.createWebhook(body);
  const creator = (await json('webhook', 'list', ...of)).created_by_token;
  expect(creator).not.toBe(otherId);
  expect((await other.updateWebhook(webhook, body)).status).toBe(200);
  expect(await json('webhook', 'list', ...of)).toMatchObject({
    created_by_token: creator,
    updated_by_token: otherId,
  });
  expect((await parley('webhook', 'list', ...of)).out).toMatch(
    new RegExp(`created by token\\s+${creator}\\nupdated by token\\s+${otherId}`),
  );
  expect((await parley('webhook', 'list', ...ofCompany)).out).toMatch(new RegExp(`${creator}\\s+${otherId}`));

  const revoke = ['token', 'revoke', ...ofCompany, '--token', String(otherId)];
  const { out } = await parley(...revoke);
  expect(out).toMatch(new RegExp(`^${webhook} +contact.created +on`, 'm'));
  expect(out).toContain(`--token ${otherId} --disable-webhooks`);
  expect(await json('webhook', 'list', ...of)).toMatchObject({ disabled_at: null });
  expect(await parley(...revoke)).toMatchObject({ code: 1 });
  const { webhooks } = await json(...revoke, '--disable-webhooks');
  expect(webhooks).toMatchObject([webhook, second].map((id) => ({ id, disabled_why: 'operator' })));
  // An update with the remaining token does not enable the webhook again.
  await api.updateWebhook(webhook, body);
  expect(await json('webhook', 'list', ...of)).toMatchObject({ disabled_why: 'operator' });
});

test('an update does not enable a webhook that failed first and was then disabled by the operator', async () => {
  const { api, parley, json, of, webhook, receiver, company } = await withOperator((_call, res) =>
    res.writeHead(410).end(),
  );
  await company.contact();
  await until(async () => (await json('webhook', 'list', ...of)).disabled_why === 'gone');
  expect((await parley('webhook', 'update', ...of, '--enabled', 'no')).out).toContain('disabled.');
  const body = { verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url };
  expect((await api.updateWebhook(webhook, body)).status).toBe(200);
  expect(await json('webhook', 'list', ...of)).toMatchObject({ disabled_why: 'operator' });
});
