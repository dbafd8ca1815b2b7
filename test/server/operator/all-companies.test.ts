import { expect, test } from 'vitest';
import { createCompany, startService } from '../../support/service.ts';
import { createCli } from './cli.ts';

/** Starts two companies, each with a webhook and an event for it. */
async function twoCompanies() {
  const service = await startService();
  const other = await createCompany(service.store, service.base);
  const webhooks: number[] = [];
  for (const company of [service.company, other]) {
    webhooks.push(await company.webhook({ entity_id: 2, action_id: 1 }));
    await company.contact();
  }
  const parley = createCli(service.database.url);
  const json = async (...given: string[]) => JSON.parse((await parley(...given, '--json')).out);
  return { ...service, other, webhooks, parley, json };
}

const companiesIn = (rows: { company_id: number }[]): number[] => rows.map(({ company_id }) => company_id);

test('webhook, token and delivery lists show one company or all', async () => {
  const { company, other, json } = await twoCompanies();
  for (const list of ['webhook', 'token', 'delivery']) {
    expect(new Set(companiesIn(await json(list, 'list')))).toEqual(new Set([company.id, other.id]));
    expect(new Set(companiesIn(await json(list, 'list', '--company', String(other.id))))).toEqual(
      new Set([other.id]),
    );
  }
});

test('webhook list --failing shows webhooks that fail or that the service has disabled', async () => {
  const { store, webhooks, json, company } = await twoCompanies();
  expect(await json('webhook', 'list', '--failing')).toEqual([]);
  const [first = 0, second = 0] = webhooks;
  await store.write(async (db) => {
    await db.updateTable('webhooks').set({ failing_since: 5 }).where('id', '=', first).execute();
    await db
      .updateTable('webhooks')
      .set({ disabled_at: 5, disabled_why: 'gone' })
      .where('id', '=', second)
      .execute();
  });
  const ids = (await json('webhook', 'list', '--failing')).map(({ id }: { id: number }) => id);
  expect(ids).toEqual([first, second]);
  // A webhook that the operator has disabled does not fail.
  await store.write((db) =>
    db.updateTable('webhooks').set({ disabled_why: 'operator' }).where('id', '=', second).execute(),
  );
  expect(companiesIn(await json('webhook', 'list', '--failing'))).toEqual([company.id]);
});

test('delivery list sorts the deliveries of all companies by time, and needs a company for a webhook', async () => {
  const { json, parley, company, other } = await twoCompanies();
  await company.contact();
  expect(companiesIn(await json('delivery', 'list', '--limit', '2'))).toEqual([company.id, other.id]);
  expect((await parley('delivery', 'list', '--webhook', '1')).code).toBe(2);
});
