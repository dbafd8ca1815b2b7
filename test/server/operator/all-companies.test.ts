import { expect, test } from 'vitest';
import { startService } from '../../support/service.ts';

/** Starts two companies, each with a webhook and an event for it. */
async function twoCompanies() {
  const service = await startService();
  const other = await service.addCompany();
  const webhooks: number[] = [];
  for (const company of [service.company, other]) {
    webhooks.push(await company.webhook({ entity_id: 2, action_id: 1 }));
    await company.contact();
  }
  return { ...service, other, webhooks };
}

const companiesIn = (rows: { company_id: number }[]): number[] => rows.map(({ company_id }) => company_id);

test('webhook, token and delivery lists show one company or all', async () => {
  const { company, other, parley } = await twoCompanies();
  for (const list of ['webhook list', 'token list', 'delivery list']) {
    expect(new Set(companiesIn(await parley.json(list)))).toEqual(new Set([company.id, other.id]));
    expect(new Set(companiesIn(await other.run(list)))).toEqual(new Set([other.id]));
  }
});

test('webhook list --failing shows webhooks that fail or that the service has disabled', async () => {
  const { database, webhooks, parley, company } = await twoCompanies();
  const failing = () => parley.json('webhook list --failing');
  expect(await failing()).toEqual([]);
  const [first = 0, second = 0] = webhooks;
  const change = (values: string, id: number) =>
    database.executeSql(`update webhooks set ${values} where id = ${id}`);
  await change('failing_since = 5', first);
  await change("disabled_at = 5, disabled_why = 'gone'", second);
  const ids = (await failing()).map(({ id }: { id: number }) => id);
  expect(ids).toEqual([first, second]);
  // A webhook that the operator has disabled does not fail.
  await change("disabled_why = 'operator'", second);
  expect(companiesIn(await failing())).toEqual([company.id]);
});

test('delivery list sorts the deliveries of all companies by time, and needs a company for a webhook', async () => {
  const { parley, company, other } = await twoCompanies();
  await company.contact();
  expect(companiesIn(await parley.json('delivery list --limit 2'))).toEqual([company.id, other.id]);
  expect(await parley('delivery list --webhook 1')).toFail(2);
});
