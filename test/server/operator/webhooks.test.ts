import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { startWebhook, until } from '../delivery/delivery-service.ts';
import type { ReceiverHandler } from '../delivery/webhook-receiver.ts';

/** Starts a webhook, and a function that runs the commands for it. */
async function withOperator(response?: ReceiverHandler) {
  const clock = { ahead: 0 };
  const service = await startWebhook(response, { now: () => Date.now() + clock.ahead });
  const { company, parley, webhook, deliveries } = service;
  const of = `--company ${company.id} --webhook ${webhook}`;
  return {
    ...{ ...service, clock },
    /** Runs a command. @returns its human-readable output */
    print: async (line: string) => (await parley(`${line} ${of}`)).out,
    json: (line: string) => parley.json(`${line} ${of}`),
    states: async () => (await deliveries()).map(({ state }) => state),
  };
}

test('disabling a webhook keeps its events, and enabling it sends them', async () => {
  const { parley, print, json, company, attempt, attempts, states } = await withOperator();
  await attempt();
  expect(await print('webhook update --enabled no')).toContain('disabled.');
  await company.contact();
  await company.contact();
  expect(await states()).toEqual(['delivered', 'paused', 'paused']);
  expect(await json('webhook list')).toMatchObject({
    event: 'contact.created',
    disabled_why: 'operator',
    last_sequence: 3,
    deliveries: { delivered: 1, paused: 2 },
  });
  expect((await parley('webhook list --company', company.id)).out).toContain('off (operator)');
  expect(await print('webhook update --enabled no')).toContain('already');

  expect(await print('webhook update --enabled yes')).toContain('enabled.');
  await until(() => attempts.length === 3);
  expect(await states()).toEqual(['delivered', 'delivered', 'delivered']);
  expect(await print('webhook update --enabled yes')).toContain('already');
  expect(await print('webhook list')).toMatch(/state\s+on/);
});

test('signs events with the old and the new secret for a day after a rotation', async () => {
  const { print, json, attempt, secret, receiver, clock } = await withOperator();
  const shown = await json('webhook rotate-secret');
  expect(shown.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Date.parse(shown.previous_secret_until)).toBeGreaterThan(Date.now() + 23.9 * 3_600_000);
  await attempt();
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
  await attempt();
  expect(receiver.calls.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  expect(await print('webhook rotate-secret')).toContain('not shown again');
});

test('webhook test sends a signed example event, and does not record it as a delivery', async () => {
  const { parley, json, company, receiver, secret, webhook, deliveries } = await withOperator();
  expect(await json('webhook test')).toMatchObject({ id: webhook, status: 200 });
  const [call] = receiver.calls;
  expect(call?.headers['webhook-id']).toMatch(new RegExp(`^msg_${webhook}_test_[0-9a-f]{12}$`));
  const event = new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>);
  expect(event).toMatchObject({
    type: 'contact.created',
    meta: { webhook_id: webhook, company_id: company.id },
  });
  expect(await deliveries()).toEqual([]);
  receiver.respondWith((_call, res) => res.writeHead(500).end('broken'));
  expect(await parley(`webhook test --company ${company.id} --webhook ${webhook}`)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/500[\s\S]*broken/),
  });
});

test('delivery list prints attempts, but no personal data', async () => {
  const { parley, print, json, company, attempts, webhook } = await withOperator((_call, res) =>
    res.writeHead(503).end('try later'),
  );
  await company.contact({ first_name: 'Secretly' });
  await until(() => attempts.length === 1);
  const [listed] = await json('delivery list');
  expect(listed).toMatchObject({
    id: `msg_${webhook}_1`,
    state: 'waiting',
    attempts: 1,
    claimed: false,
    log: [{ status: 503, answer: 'try later' }],
  });
  const list = (delivery: string) => parley(`delivery list --company ${company.id} --delivery ${delivery}`);
  const shown = await list(`msg_${webhook}_1`);
  expect(shown.out).toMatch(/503[\s\S]*try later/);
  expect((await print('delivery list')) + shown.out).not.toContain('Secretly');
  expect(await json('delivery list --state delivered')).toEqual([]);
  expect(await json('delivery list --to 2020-01-01')).toEqual([]);
  expect(await list(`msg_${webhook}_9`)).toFail(1);
  expect(await list('nonsense')).toFail(2);
});

test('delivery replay sends an event again with the same ID, and does not change failing_since', async () => {
  const { print, json, parley, company, attempt, attempts, receiver, webhook, row } = await withOperator();
  await attempt();
  await attempt();
  receiver.respondWith((_call, res) => res.writeHead(500).end());
  const one = `delivery replay --delivery msg_${webhook}_1`;
  expect(await company.run(one)).toEqual({ replayed: 1 });
  await until(() => attempts.length === 3);
  expect(
    receiver.calls.map(({ headers }) => headers['webhook-id']).filter((id) => id === `msg_${webhook}_1`),
  ).toHaveLength(2);
  expect((await row()).failing_since).toBe(null);

  await attempt();
  expect((await row()).failing_since).toBeGreaterThan(0);
  receiver.respondWith((_call, res) => res.end());
  expect(await json('delivery replay --only exhausted')).toEqual({ replayed: 0 });
  expect(await json('delivery replay --from 2020-01-01')).toEqual({ replayed: 3 });
  await until(() => attempts.length === 7);
  expect((await row()).failing_since).toBeGreaterThan(0);
  expect(await json('delivery replay --to 2020-01-01')).toEqual({ replayed: 0 });

  for (const wrong of ['', ' --webhook 1 --delivery msg_1_1', ' --only exhausted'])
    expect(await parley(`delivery replay --company 1${wrong}`)).toFail(2);
  await print('webhook update --enabled no');
  expect(await parley(one, '--company', company.id)).toFail(1, 'Enable it first');
});

test('operator commands for a webhook of another company fail and change nothing', async () => {
  const { parley, webhook, addCompany, row } = await withOperator();
  const { id: other } = await addCompany();
  for (const command of ['list', 'update --enabled no', 'update --enabled yes', 'rotate-secret', 'test'])
    expect(await parley(`webhook ${command} --company ${other} --webhook ${webhook}`), command).toFail(
      1,
      'has no webhook',
    );
  expect(await parley(`delivery replay --company ${other} --webhook ${webhook}`)).toFail(1);
  expect(await row()).toMatchObject({ disabled_at: null, previous_secret: null });
});

test('webhook list names the tokens that created and changed it, and token revoke can disable webhooks', async () => {
  const { company, parley, print, json, webhook, tokenId: creator, update } = await withOperator();
  const { api: other, id: otherId } = await company.token();
  const body = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://hooks.example.com/other' };
  const { body: second } = await other.createWebhook(body);
  expect((await other.updateWebhook(webhook, body)).status).toBe(200);
  expect(await json('webhook list')).toMatchObject({
    created_by_token: creator,
    updated_by_token: otherId,
  });
  expect(await print('webhook list')).toMatch(
    new RegExp(`created by token\\s+${creator}\\nupdated by token\\s+${otherId}`),
  );
  const ofCompany = `--company ${company.id}`;
  expect((await parley(`webhook list ${ofCompany}`)).out).toMatch(new RegExp(`${creator}\\s+${otherId}`));

  const { out } = await parley(`token revoke ${ofCompany} --token ${otherId}`);
  expect(out).toMatch(new RegExp(`^${webhook} +contact.created +on`, 'm'));
  expect(out).toContain(`--token ${otherId} --disable-webhooks`);
  expect(await json('webhook list')).toMatchObject({ disabled_at: null });
  expect(await parley(`token revoke ${ofCompany} --token ${otherId}`)).toFail(1);
  const { webhooks } = await company.run(`token revoke --token ${otherId} --disable-webhooks`);
  expect(webhooks).toMatchObject([webhook, second].map((id) => ({ id, disabled_why: 'operator' })));
  // An update with the remaining token does not enable the webhook again.
  await update();
  expect(await json('webhook list')).toMatchObject({ disabled_why: 'operator' });
});

test('an update does not enable a webhook that failed first and was then disabled by the operator', async () => {
  const { company, print, update, row } = await withOperator((_call, res) => res.writeHead(410).end());
  await company.contact();
  await until(async () => (await row()).disabled_why === 'gone');
  expect(await print('webhook update --enabled no')).toContain('disabled.');
  expect((await update()).status).toBe(200);
  expect(await row()).toMatchObject({ disabled_why: 'operator' });
});
