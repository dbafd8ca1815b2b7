import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { createApiClient } from '../../support/api-client.ts';
import { type Cli, type CliResult, createCli } from '../../support/cli.ts';
import { fileAt } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';
import { afterAllTests, temporaryFolder } from '../../support/temporary-folder.ts';

test('a company, field and token that the operator creates work immediately on the running service', async () => {
  const { base, parley } = await startService();
  const { id: company } = await parley.json('company create --name Acme');
  const field = await parley.json(`field create --company ${company} --name Code --type short_text --unique`);
  const { token, id } = await parley.json(`token create --company ${company} --user 17`);

  const api = createApiClient(base, token);
  expect((await api.listCustomFields()).body).toEqual([field]);
  expect((await api.createContact({ fields: [{ id: field.id, value: 'A' }] })).status).toBe(201);

  expect((await parley(`token revoke --company ${company} --token ${id}`)).out).toBe(
    `Token ${id} revoked.\n`,
  );
  expect(await api.listCustomFields()).toBeApiError(401, 40104);
});

test('the API reflects fields that the operator changes or deletes', async () => {
  const { api, company } = await startService();
  const { id } = await company.field({ name: 'Old' });
  const of = `--field ${id}`;
  await company.run(`field update ${of} --name New --icon star --order 7`);
  expect((await api.listCustomFields()).body).toMatchObject([
    { id, name: 'New', icon: 'star', order: 7, is_unique: false },
  ]);
  await company.run(`field delete ${of}`);
  expect((await api.listCustomFields()).body).toEqual([]);
});

test('field delete removes the values of the field from the search', async () => {
  const { api, company, store } = await startService();
  const field = await company.field();
  await company.contact({ first_name: 'Ada', fields: [{ id: field.id, value: 'parcel' }] });
  await company.run(`field delete --field ${field.id}`);
  expect((await api.searchContacts('parcel')).body).toEqual([]);
  expect(await store.read((db) => db.selectFrom('field_values').selectAll().execute())).toEqual([]);
});

test('list commands print tables or JSON, without tokens', async () => {
  const { company, parley } = await startService();
  const { token } = await company.token(['fields:read'], 10);
  await company.field({ name: 'Customer number', isUnique: true });

  const table = await parley('token list --company', company.id);
  expect(table.out).toMatch(
    /^company id +id +user id +state +expires at +last used at +rate per minute +name +scopes$/m,
  );
  expect(table.out).toMatch(/^1 +2 +17 +holds .* fields:read$/m);
  const json = await company.run('token list');
  expect(json).toMatchObject([{ id: 1 }, { id: 2, scopes: ['fields:read'], state: 'holds' }]);
  expect(table.out + JSON.stringify(json)).not.toContain(token.slice(9, 30));
  const fields = await parley('field list --company', company.id);
  expect(fields.out).toMatch(/short_text +yes +tag +Customer number/);
  expect((await parley('company list')).out).toContain('A company');
});

test('a token is valid for 90 days by default, and for up to 365 days with --days', async () => {
  const { company } = await startService();
  const days = async (options = '') => {
    const { expires_at } = await company.run(`token create --user 1${options}`);
    return Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000);
  };
  expect([await days(), await days(' --days 365'), await days(' --days 1')]).toEqual([90, 365, 1]);
});

test('prints failures to standard error with exit code 1, and as JSON with --json', async () => {
  const { company, parley } = await startService();
  expect(await parley('token list --company 99')).toEqual({
    code: 1,
    out: '',
    err: '✘ There is no company 99. See: npm run -s parley -- company list\n',
  });
  const failed = await parley('field create --type text --json --company', company.id, '--name', '');
  expect([failed.code, failed.out]).toEqual([1, '']);
  expect(JSON.parse(failed.err)).toMatchObject({ error: { code: 42201, fields: '/name' } });
});

/** Runs a command on the database of a service that no command changes. */
let unchanged: Cli;
beforeAll(async () => {
  ({ parley: unchanged } = await startService({ onCleanup: afterAllTests }));
});

test.each([
  ['company create', '--name'],
  ['company create --name ', '1 to 255'],
  ['field create --company 1 --name x --type colour', 'short_text'],
  ['field update --company 1 --field 1', '--name'],
  ['token create --company 1 --user 1 --scopes everything', 'contacts:read'],
  ['token create --company 1 --user 1 --days 366', '365'],
  ['token create --company 0x1 --user 1', 'integer'],
  [
    'conversation update --company 1 --conversation 1 --forward-to-team 1 --forward-to-agent 2',
    'exactly one of these: --state, --forward-to',
  ],
  ['webhook update --company 1 --webhook 1 --enabled maybe', 'yes or no'],
  ['message update --company 1 --message 1', 'exactly one of these: --payload, --read, --deleted'],
  ['restore', '--from'],
  ['restore --replace --advance-by 5', '--from'],
  ['restore --revoke-tokens --disable-webhooks', '--from'],
  ['restore --revoke-tokens --erasures list.json', '--from'],
  ['restore --advance-by 0', 'integer'],
  ['nonsense', 'unknown command'],
])('parley %s is a usage error: exit code 2, with a hint', async (given, fix) => {
  expect(await unchanged(given)).toFail(2, fix);
});

/** Runs a command in a process of its own. */
const inProcess = (url: string, ...given: string[]) =>
  new Promise<CliResult>((done) => {
    const env = { ...process.env, DATABASE_URL: url };
    execFile(process.execPath, ['server/operator/main.ts', ...given], { env }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

test('exits with 0 for success, 1 for failure and 2 for a usage error, without colors outside a terminal', async () => {
  const { url } = (await startService()).database;
  const listed = await inProcess(url, 'company', 'list');
  expect(listed).toEqual({ code: 0, out: expect.stringContaining('A company'), err: '' });
  expect(await inProcess(url, 'token', 'list', '--company', '9')).toFail(1, '✘ There is no company 9');
  expect(await inProcess(url, 'company', 'update')).toFail(2, '--company');
});

test('help goes to standard output with exit code 0', async () => {
  const parley = createCli(`${await temporaryFolder()}/a.db`);
  const { code, out } = await parley('token create --help');
  expect([code, out]).toEqual([0, expect.stringContaining('Usage: npm run -s parley --')]);
});

test('company list does not create a missing database, but company create does', async () => {
  const file = `${await temporaryFolder()}/nowhere/a.db`;
  const parley = createCli(fileAt(file).url);
  expect(await parley('company list')).toFail(
    1,
    `There is no Parley database at ${file}. Check DATABASE_URL`,
  );
  expect(existsSync(file)).toBe(false);
  await parley.json('company create --name Acme');
  expect((await parley('company list')).out).toContain('Acme');
});

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
