import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../server/own-contract/scopes.ts';
import { issueToken } from '../../../server/security/auth/issue-token.ts';
import { insertCompany } from '../../../server/storage/queries/companies.ts';
import { createApiClient } from '../../support/api-client.ts';
import { onPostgres } from '../../support/databases.ts';
import { isLong, seed } from '../../support/sampling.ts';
import { serviceAndWorker } from './delivery-processes.ts';
import { until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

const rounds = isLong ? 200 : 4;

test(`loses no event of an acknowledged write when the API or the worker is killed ${rounds} times`, async () => {
  const { store, start, kill, endLeases, address } = await serviceAndWorker();
  await start('api');
  await start('worker');
  const company = await store.write((db) => insertCompany(db, { name: 'A', created_at: Date.now() }));
  const { token } = await store.write((db) =>
    issueToken(db, { companyId: company, userId: 1, name: '', scopes, days: 90 }, Date.now()),
  );
  let inFlight = 0;
  const receiver = await startReceiver((_call, res) => {
    inFlight += 1;
    setTimeout(() => {
      inFlight -= 1;
      res.end();
    }, Math.random() * 60);
  });
  const api = () => createApiClient(address.base, token);
  const made = await api().createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url });
  expect(made.status).toBe(201);

  const acknowledged: number[] = [];
  let open = 0;
  let over = false;
  onTestFinished(() => {
    over = true;
  });
  const customers = Array.from({ length: 4 }, async () => {
    while (!over) {
      open += 1;
      const reply = await api()
        .createContact({ first_name: 'Ada' })
        .catch(() => undefined);
      open -= 1;
      if (reply?.status === 201) acknowledged.push(reply.body.id);
      await wait(reply ? Math.random() * 30 : 20);
    }
  });

  const chosen = fc.sample(
    fc.record({
      who: fc.constantFrom<('api' | 'worker')[]>(['api'], ['worker'], ['api', 'worker']),
      afterMs: fc.integer({ min: 0, max: 150 }),
    }),
    { numRuns: rounds, seed },
  );
  let busy = 0;
  for (const { who, afterMs } of chosen) {
    const end = performance.now() + 2_000;
    await wait(afterMs);
    while ((open === 0 || inFlight === 0) && performance.now() < end) await wait(1);
    if (open > 0 && inFlight > 0) busy += 1;
    await Promise.all(who.map(kill));
    if (who.includes('worker')) await endLeases();
    await Promise.all(who.map(start));
  }
  over = true;
  await Promise.all(customers);

  const waiting = () =>
    store.read((db) =>
      db.selectFrom('deliveries').select('sequence').where('state', '!=', 'delivered').execute(),
    );
  await until(async () => (await waiting()).length === 0, 60_000);
  const events = receiver.calls.map(({ body }) => JSON.parse(body));
  const received = new Set<number>(events.map(({ data }) => data.id));
  const sequences = new Set<number>(events.map(({ meta }) => meta.sequence));
  const lost = acknowledged.filter((id) => !received.has(id));
  const gaps = Array.from({ length: Math.max(...sequences) }, (_, at) => at + 1).filter(
    (one) => !sequences.has(one),
  );
  const duplicates = events.length - sequences.size;
  process.stdout.write(
    `killed (${onPostgres ? 'PostgreSQL' : 'embedded'}): ${rounds} rounds, ${busy} with a request open and a delivery in flight, ` +
      `${acknowledged.length} acknowledged, ${lost.length} lost, ${gaps.length} gaps, ` +
      `${duplicates} of ${events.length} doubled (${((100 * duplicates) / events.length).toFixed(1)} %)\n`,
  );
  expect({ lost, gaps }).toEqual({ lost: [], gaps: [] });
  expect(busy).toBeGreaterThanOrEqual(rounds / 2);
}, 900_000);
