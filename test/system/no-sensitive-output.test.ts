import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variables } from '../../server/runtime/config/variables.ts';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';
import { createApiClient } from '../support/api-client.ts';
import { createCli } from '../support/cli.ts';
import { endedService, startedService } from './service-process.ts';

const key = Buffer.alloc(32, 'k').toString('base64');
/** Content of a company. It must not appear in any log, metric or help text. */
const said = 'Zyxwvut';

test('no log, error, metric, help text or process title contains a token, key, secret or message text', async () => {
  const receiver = await startReceiver((_call, res) => void res.writeHead(500).end(said));
  const env = {
    LOG_LEVEL: 'trace',
    PARLEY_SECRET_KEY: key,
    PARLEY_METRICS_PORT: '0',
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: 'http:127.0.0.0/8',
  };
  const { child, heard, base, stop } = await startedService(env, []);
  // Standard output and standard error arrive in any order.
  await expect.poll(() => heard.out).toMatch(/ply_live_\w+/);
  const token = /ply_live_\w+/.exec(heard.out)?.[0] ?? '';
  const api = createApiClient(base, token);
  const url = `${receiver.url}${said}`;
  const webhook = await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url });
  expect(webhook.status).toBe(201);
  const signing = webhook.headers.get('webhook-secret') ?? '';
  expect(signing).toMatch(/^whsec_/);

  const made = await api.createContact(
    { first_name: said, email_address: `${said}@example.com` },
    { 'idempotency-key': said },
  );
  expect(made.status).toBe(201);
  const refused = [
    await createApiClient(base, `${token}x`).listContacts(),
    await api.createContact({ first_name: said, nonsense: said }),
    await api.createContact(`{"first_name": "${said}`),
    await api.createContact({ email_address: said }),
    await api.createMessage({ conversation_id: 999_999, type: 'text', payload: said }),
    await api.getContact(said),
    await api.listContacts(`?date_from=${said}`, { cookie: said }),
    await api.send(`/api/v1/${said}`),
    await api.send('/api/v1/contacts', { headers: { authorization: `Basic ${said}` } }),
  ];
  for (const { status } of refused) expect(status).toBeGreaterThanOrEqual(400);
  for (const { headers } of refused)
    expect([headers.get('server'), headers.get('x-powered-by'), headers.get('via')]).toEqual([
      null,
      null,
      null,
    ]);
  await api.searchContacts(said);
  await expect.poll(() => receiver.calls.length).toBeGreaterThan(0);
  await expect.poll(() => heard.err).toContain('"msg":"attempt"');

  const metrics = /http:\/\/\S+\/metrics/.exec(heard.err)?.[0] ?? '';
  const told = {
    log: heard.err,
    metrics: await (await fetch(metrics)).text(),
    health: await (await fetch(`${base}/readyz`)).text(),
    title:
      readFileSync(`/proc/${child.pid}/cmdline`, 'utf8') + readFileSync(`/proc/${child.pid}/comm`, 'utf8'),
    help: (await endedService(env, ['--help'])).out,
    operator: (await createCli('', env)('--help')).out,
  };
  for (const line of [
    'parley_requests_total{operation="createContact",status="201"} 1',
    'parley_delivery_attempts_total{outcome="5xx"} 1',
    'parley_delivery_worker 1',
  ])
    expect(told.metrics).toContain(line);
  expect((await fetch(`${base}/metrics`)).status).not.toBe(200);
  expect((await fetch(metrics.replace('/metrics', '/other'))).status).toBe(404);
  for (const [where, text] of Object.entries(told)) {
    expect(text.length, where).toBeGreaterThan(10);
    for (const secret of [token, key, signing, said]) expect(text, where).not.toContain(secret);
  }
  for (const { name } of Object.values(variables)) expect(told.help).toContain(`  ${name} `);
  for (const { text } of refused)
    for (const secret of [token, key, signing]) expect(text).not.toContain(secret);
  await stop();
});

test('an error about an unreachable database does not contain its password', async () => {
  const url = `postgres://parley:${said}@127.0.0.1:1/parley`;
  const failed = await endedService({ DATABASE_URL: url, LOG_LEVEL: 'trace', PARLEY_SECRET_KEY: key });
  expect(failed).toFail(1, 'DATABASE_URL');
  expect(failed.err + failed.out).not.toContain(said);
});
