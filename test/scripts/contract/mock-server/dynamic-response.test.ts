import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../../client/index.ts';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../../../parley-contract.config.ts';
import { mockToken } from '../../../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { fixturesWith, operationIds, sendValid } from '../../../server/own-contract/valid-requests.ts';
import { createApiClient } from '../../../support/api-client.ts';
import { content, documentOf, integer, object, string, writeDocument } from '../../../support/documents.ts';
import { runCommand, startCommand } from '../../../support/run-command.ts';
import { sampleCount } from '../../../support/sampling.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const of = fixturesWith((index) => index + 77);

async function startDynamic(seed: number | undefined, api = contractConfig.api) {
  const faults: unknown[] = [];
  const { server } = await createMockServer({
    config: contractConfig,
    api,
    ...(seed === undefined ? {} : { seed, dynamic: true }),
    onError: (error) => faults.push(error),
  });
  const base = await startListening(server);
  return { base, api: createApiClient(base, mockToken), faults };
}

test('generated responses are valid for any seed, and have the requested ID', async () => {
  const { api, faults } = await startDynamic(1);
  const context = createSchemaContext(document);
  for (const { id, responses, path } of operationsOf(context)) {
    const operation = operationIds.find((each) => each === id);
    if (!operation) throw new Error(`${id} has no sound request.`);
    const texts = new Set<string>();
    for (let seed = 1; seed <= sampleCount(6); seed++) {
      const reply = await sendValid(api, operation, of, {
        headers: { prefer: `dynamic=true, seed=${seed}` },
      });
      const [documented] = responses[String(reply.status)]?.content ?? [];
      const isValid = documented !== undefined && context.isValid(documented.schema, reply.body);
      expect({ id, seed, body: reply.body, isValid }).toMatchObject({ isValid: true });
      if (reply.status === 200 && path.endsWith('{id}') && operation.startsWith('get'))
        expect(Object.values(of)).toContain(reply.body.id);
      texts.add(reply.text);
    }
    // Other responses, such as those of updates and deletes, may be the same for every seed.
    expect(texts.size, id).toBeGreaterThan(/^(get|list|search)/.test(id) ? 1 : 0);
  }
  expect(faults).toEqual([]);
});

test('the same seed produces the same responses in any order, and another seed produces different ones', async () => {
  const [one, two, other] = [await startDynamic(7), await startDynamic(7), await startDynamic(8)];
  await two.api.getContact(3);
  await two.api.listCustomFields();
  const asked = async ({ api }: typeof one) => [
    (await api.listContacts()).text,
    (await api.listContacts('?page=1')).text,
    (await api.getContact(4)).text,
    (await api.searchContacts('?query=a')).text,
    (await api.createContact({ first_name: 'Ada' })).text,
    (await api.createContact({ first_name: 'Grace' })).text,
  ];
  const responses = await asked(one);
  expect(await asked(two)).toEqual(responses);
  expect(await asked(other)).not.toEqual(responses);
  expect(responses[0]).not.toBe(responses[1]);
  expect(responses[4]).not.toBe(responses[5]);
});

test('the Prefer header requests generated responses from a static mock and examples from a dynamic one', async () => {
  const [fixed, dynamic] = [await startDynamic(undefined), await startDynamic(1)];
  const { Contact4021, ContactPage, NoContact } = document.components.examples;
  expect((await fixed.api.getContact(4021)).body).toEqual(Contact4021.value);
  expect((await fixed.api.listContacts('', { prefer: 'dynamic=true' })).body).not.toEqual(ContactPage.value);
  expect((await dynamic.api.listContacts()).body).not.toEqual(ContactPage.value);
  expect((await dynamic.api.listContacts('', { prefer: 'example=page' })).body).toEqual(ContactPage.value);
  expect((await dynamic.api.listContacts('', { prefer: 'dynamic=false' })).body).toEqual(ContactPage.value);
  expect((await dynamic.api.send('/api/v1/contacts/1', { headers: { prefer: 'code=404' } })).body).toEqual(
    NoContact.value,
  );
  const unclear = { prefer: 'dynamic=perhaps' };
  expect(await dynamic.api.listContacts('', unclear)).toBeApiError(422, 42201, 'header/Prefer');
});

test('on the static and the dynamic mock, pagination ends, and any origin may read all response headers', async () => {
  for (const seed of [undefined, 3]) {
    const { base } = await startDynamic(seed);
    const parley = createClient({ baseUrl: base, token: mockToken });
    let pages = 0;
    for await (const { response } of parley.pages('/api/v1/contacts')) {
      pages += 1;
      expect(response.headers.get('Link')).not.toContain('next');
    }
    expect(pages).toBe(1);
    const { headers } = await fetch(`${base}/api/v1/contacts/1`, {
      headers: { origin: 'http://localhost:3000', authorization: `Bearer ${mockToken}` },
    });
    expect([headers.get('access-control-expose-headers'), headers.get('etag')]).toEqual([
      '*',
      expect.any(String),
    ]);
  }
});

test('a body of any type is JSON, and text if it is a string', async () => {
  const anyType = (schema: object) => ({
    get: { responses: { 200: { description: 'Yes.', ...content(schema, '*/*') } } },
  });
  const pet = object({ id: integer }, 'id');
  const api = await writeDocument(documentOf({ '/pets': anyType(pet), '/name': anyType(string) }));
  for (const seed of [undefined, 5]) {
    const { base } = await startDynamic(seed, api);
    const [pet, name] = [await fetch(`${base}/pets`), await fetch(`${base}/name`)];
    expect([pet.status, pet.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await pet.json()).toMatchObject({ id: expect.any(Number) });
    expect([name.status, name.headers.get('content-type')]).toEqual([200, 'text/plain']);
  }
});

test('headers of a creation without examples lead to the created item, and to the request', async () => {
  const text = { schema: string };
  const created = { description: 'Yes.', headers: { Location: text, Link: text } };
  const parameter = (name: string) => ({ name, in: 'path', required: true, schema: integer });
  const found = { responses: { 200: { description: 'Yes.' } } };
  const [home, pet] = [parameter('home'), parameter('pet')];
  const paths = {
    '/homes/{home}/pets': { parameters: [home], get: found, post: { responses: { 201: created } } },
    '/homes/{home}/pets/{pet}': { parameters: [home, pet], get: found },
  };
  const api = await writeDocument(documentOf(paths, { servers: [{ url: '/api' }] }));
  const { base } = await startDynamic(undefined, api);
  const { url, headers } = await fetch(`${base}/api/homes/7/pets`, { method: 'POST' });
  const item = new URL(headers.get('location') ?? '', url);
  const [, link = ''] = /^<(.*)>; rel="self"$/.exec(headers.get('link') ?? '') ?? [];
  expect(item.pathname).toMatch(/^\/api\/homes\/7\/pets\/-?\d+$/);
  expect([(await fetch(item)).status, new URL(link, url).href]).toEqual([200, item.href]);
});

test('the mock reloads a changed contract, and keeps the last version while the file is invalid', async () => {
  const folder = await temporaryFolder();
  const api = join(folder, 'bookshop.yaml');
  await cp('test/scripts/contract/generate/contracts/bookshop.yaml', api);
  const mock = startCommand(['mock', '--port', '0', '--api', api]);
  onTestFinished(mock.stop);
  await mock.ended;
  const told = () => mock.out + mock.err;
  const base = /http:\S+/.exec(told())?.[0] ?? '';
  const title = async () => (await fetch(`${base}/shop/books/9780141439587/copies`)).json();
  const before = await readFile(api, 'utf8');
  expect(await title()).toMatchObject([{ title: 'Emma' }]);
  await writeFile(api, 'openapi: 3.1.0\npaths: [');
  await expect.poll(told).toContain('keeps the last version');
  expect(await title()).toMatchObject([{ title: 'Emma' }]);
  await writeFile(api, before.replaceAll('Emma', 'Persuasion'));
  await expect.poll(told).toContain('Reloaded');
  await fetch(`${base}/_mock/scenario`, { method: 'POST' });
  await expect.poll(told).toContain('422 POST /_mock/scenario');
  expect(await title()).toMatchObject([{ title: 'Persuasion' }]);
});

test('npm run mock rejects a seed that is not an integer, and options that exclude or need --stateful', async () => {
  for (const given of [
    ['--dynamic', '--seed', 'x'],
    ['--dynamic', '--stateful'],
    ['--webhooks-to', 'http://127.0.0.1:3000/webhooks'],
  ]) {
    expect((await runCommand(['mock', ...given])).code, given.join(' ')).toBe(2);
  }
});
