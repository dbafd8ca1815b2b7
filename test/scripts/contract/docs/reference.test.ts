import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../../../parley-contract.config.ts';
import { createLinkTo } from '../../../../scripts/contract/docs/links.ts';
import { commonHeaders } from '../../../../scripts/contract/docs/reference/common-headers.ts';
import { referenceEntries } from '../../../../scripts/contract/docs/reference/entries.ts';
import { operationPage } from '../../../../scripts/contract/docs/reference/operation-page.ts';
import { requestSamples } from '../../../../scripts/contract/docs/reference/request-samples.ts';
import { createSamples } from '../../../../scripts/contract/docs/reference/samples.ts';
import { shellSamples } from '../../../../scripts/contract/docs/reference/shell-samples.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { mockToken } from '../../../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { compileErrors } from '../../../../scripts/lab/public-contracts/tools.ts';
import { eventTypeOf } from '../../../../server/own-contract/webhook-selectors.ts';
import { loadDocument, loadFiles } from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const contract = await loadContract(contractConfig.api);
const entries = referenceEntries(contract);
const operations = entries.filter(({ kind }) => kind === 'operation');
const mock = { url: 'http://127.0.0.1:4010', token: mockToken };
const samplesOf = createSamples(contract, { variable: 'parley' }, mock);
const context = {
  contract,
  samplesOf,
  common: commonHeaders(contract),
  linkTo: createLinkTo(new Map(), '../'),
  hasDecisions: true,
  explained: new Map([['42901', 'guides/errors.md#42901']]),
  servers: [],
  base: '',
  mockCommand: undefined,
  subscription: await contractConfig.portal.subscription?.(contract.document),
};

/** Returns the page of an operation, as HTML and as Markdown. */
function pageOf(id: string) {
  const entry = entries.find((each) => each.id === id);
  if (!entry) throw new Error(`There is no ${id}.`);
  return operationPage(context, entry);
}

/** Returns the code of a sample as the page shows it. */
function sampleOf(id: string, label: string): string {
  const figure = pageOf(id).html.split(`data-language="${label}"`)[1] ?? '';
  return plain(/<code>(.*?)<\/code>/s.exec(figure)?.[1] ?? '');
}

const plain = (code: string): string =>
  code
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(39|x27);/g, "'")
    .replaceAll('&amp;', '&');

test('every operation and every event has one page', () => {
  const methods = /^(get|put|post|patch|delete)$/;
  const documented = Object.values(document.paths).flatMap((item) =>
    Object.keys(item).filter((key) => methods.test(key)),
  );
  expect(operations).toHaveLength(documented.length);
  expect(entries.filter(({ kind }) => kind === 'event').map(({ path }) => path)).toEqual(
    Object.keys(document.webhooks),
  );
  expect(new Set(entries.map(({ href }) => href)).size).toBe(entries.length);
});

test('each TypeScript sample compiles, and gets a successful response from the mock', async () => {
  const base = await startListening((await createMockServer({ config: contractConfig })).server);
  const folder = await temporaryFolder();
  const file = join(folder, 'samples.mts');
  const functions = operations.map(({ id }) => {
    return `export async function ${id}(console: { log: (...data: unknown[]) => void }) {\n${sampleOf(id, 'TypeScript').replace(/^.*?\n\n/s, '')}\n}`;
  });
  await writeFile(
    file,
    `import { createClient } from '${resolve('client/index.ts')}';\nconst parley = createClient({ baseUrl: '${base}', token: '${mockToken}' });\n${functions.join('\n')}\n`,
  );
  // The client itself is compiled elsewhere, with other settings.
  expect(compileErrors([file]).filter((error) => error.startsWith(file))).toEqual([]);
  const module: Record<string, (console: object) => Promise<void>> = await import(pathToFileURL(file).href);
  const printed: unknown[] = [];
  for (const { id } of operations) await module[id]?.({ log: (...data: unknown[]) => printed.push(...data) });
  const [secret] = printed.splice(
    printed.findIndex((data) => String(data).startsWith('whsec_')),
    1,
  );
  expect(secret).toBe(document.components.headers.WebhookSecret.example);
  expect(printed.filter((data) => data !== undefined)).toHaveLength(operations.length);
});

// In other languages, samples send the same request: hostile-samples.test.ts.
test('each curl sample gets a successful response from the mock', async () => {
  const base = await startListening((await createMockServer({ config: contractConfig })).server);
  for (const { id } of operations) {
    const command = sampleOf(id, 'curl')
      .replace('curl', 'curl --silent --show-error')
      .replace('http://127.0.0.1:4010', base);
    await expect(promisify(execFile)('sh', ['-c', command]), command).resolves.toMatchObject({
      stderr: '',
    });
  }
});

test('a page describes scopes, rules, parameters, the body with nested properties, and the responses', () => {
  const { html, markdown } = pageOf('createContact');
  expect(plain(html)).toMatch(
    /Scopes: contacts:write\n.*Rules.*Idempotency-Key string, at least 1 character, at most 255 characters/s,
  );
  expect(html).toMatch(/<summary>\d+ properties of <code>fields<\/code><\/summary>.*<code>value<\/code>/s);
  expect(plain(pageOf('listContacts').html)).toContain('The body is an array of object, at most 100 items.');
  expect(plain(html)).toMatch(/Response 201.*Other responses.*409.*503.*Common headers.*X-Request-Id/s);
  expect(html).toContain('<code>429</code>');
  expect(html).toMatch(/Error codes: <a href="\.\.\/guides\/errors\.html#42901">42901<\/a>\./);
  expect(html).toMatch(/<details><summary>Decisions<\/summary><div>.*href="\.\.\/decisions\.html#d34">/);
  expect(markdown.text).toMatch(
    /^# Create a contact\n\n`POST \/api\/v1\/contacts`\n.*## Rules\n.*```typescript\n/s,
  );
});

test('the page of each event has the request that subscribes to it, which the mock accepts', async () => {
  const base = await startListening((await createMockServer({ config: contractConfig })).server);
  for (const { id, path } of entries.filter(({ kind }) => kind === 'event')) {
    const command = sampleOf(id, 'curl');
    const [, body = ''] = /--data-binary '(.*)'$/s.exec(command) ?? [];
    const { entity_id, action_id } = JSON.parse(body);
    expect(eventTypeOf(entity_id, action_id)).toBe(path);
    expect(pageOf(id).html).toContain(
      `<code>entity_id</code> ${entity_id} and <code>action_id</code> ${action_id}.`,
    );
    const created = await fetch(`${base}/api/v1/webhooks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${mockToken}`, 'Content-Type': 'application/json' },
      body,
    });
    expect(created.status, path).toBe(201);
  }
});

const keys = ['crypto.randomUUID()', '$(openssl', 'str(uuid.uuid4())', 'random_bytes(16)', 'rand.Text()'];

test.each(['createWebhook', entries.find(({ kind }) => kind === 'event')?.id ?? ''])(
  'the samples of %s create a key for each request, and show the secret, which no other response has',
  (id) => {
    for (const [at, label] of ['TypeScript', 'curl', 'Python', 'PHP', 'Go'].entries()) {
      expect(sampleOf(id, label)).toContain(keys[at]);
      expect(sampleOf(id, label)).toContain(
        label === 'curl' ? 'curl --fail-with-body --include' : 'Webhook-Secret',
      );
    }
    expect(sampleOf(id, 'Python')).toMatch(/^import uuid\nimport requests$/m);
  },
);

const notes = { path: '/notes', url: 'http://service.example/notes', values: [], headers: [] };

test('the samples in PHP and Go show each of several kept headers', () => {
  const samples = requestSamples({
    ...notes,
    method: 'GET',
    body: undefined,
    keptHeaders: ['X-One', 'X-Two'],
  });
  const [php = '', go = ''] = ['PHP', 'Go'].map((name) => samples.find(({ label }) => label === name)?.text);
  for (const code of [php, go]) expect(code).toMatch(/X-One.*X-Two/s);
  expect(php.match(/CURLOPT_HEADERFUNCTION/g)).toHaveLength(1);
  expect(go.match(/^\}$/gm)).toHaveLength(1);
});

test('the sample in Python writes values of JSON as Python, and leaves strings as they are', () => {
  const body = JSON.stringify({ note: 'read: true, closed: null, open', read: true, user: null }, null, 2);
  const python = requestSamples({ ...notes, method: 'POST', body, keptHeaders: [] }).find(
    ({ label }) => label === 'Python',
  );
  expect(python?.text).toContain(`json={
        "note": "read: true, closed: null, open",
        "read": True,
        "user": None
    },`);
});

test('an example shows the headers that the request gets without options', () => {
  expect(pageOf('listContacts').html).toMatch(
    /<pre class="headers"[^>]*>Link: .*\n {2}rel=&quot;next&quot;/s,
  );
  expect(pageOf('listContacts').html).not.toMatch(/<pre[^>]*>[^<]*X-Total-Count/);
});

test('code for a shell that sends one request is shown in all languages, and other code is not', () => {
  const samplesIn = shellSamples(contract, samplesOf);
  const labels = (code: string) => samplesIn(code).map(({ label }) => label);
  const list = `curl --silent "${mock.url}/api/v1/contacts?per_page=5" \\\n  --header 'Authorization: Bearer token'`;
  expect(labels(list)).toEqual(['TypeScript', 'curl', 'Python', 'PHP', 'Go']);
  const [typescript, curl] = samplesIn(list);
  expect(typescript?.text).toMatch(/GET\('\/api\/v1\/contacts', \{.*per_page: 5/s);
  expect(curl?.text).toBe(list);
  const search = samplesIn(`curl "${mock.url}/api/v1/contacts/search?query=17"`);
  expect(search[0]?.text).toMatch(/contacts\/search', \{.*query: '17'/s);
  const create = `curl ${mock.url}/api/v1/messages --header 'Idempotency-Key: mine' --data '{"conversation_id": 880}'`;
  expect(samplesIn(create)[0]?.text).toMatch(/'Idempotency-Key': 'mine'.*body: \{ conversation_id: 880 \}/s);
  for (const code of [
    `${list}\n${list}`,
    `${list} | jq`,
    `curl "${mock.url}/api/v1/contacts?limit=5"`,
    'npm start',
  ])
    expect(labels(code), code).toEqual([]);
});

test('operations and events whose names differ in case or signs have pages of their own', async () => {
  const get = (operationId: string) => ({
    get: { operationId, responses: { 200: { description: 'Done.' } } },
  });
  const ids = ['getBook', 'getbook', '../x', 'a/b', 'a b', '...', 'x'.repeat(300)];
  const paths = Object.fromEntries(ids.map((id, at) => [`/${at}`, get(id)]));
  const loaded = await loadDocument({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths });
  const pages = referenceEntries(loaded).map(({ href }) => href);
  expect(pages).toEqual([
    'reference/getBook.html',
    'reference/getbook-2.html',
    'reference/x.html',
    'reference/a-b.html',
    'reference/a-b-2.html',
    'reference/operation.html',
    `reference/${'x'.repeat(100)}.html`,
  ]);
});

test('samples without examples have valid values, the credentials of the operation, and files', async () => {
  const { contract: rental } = await loadFiles({
    'rental.yaml': `openapi: 3.1.0
info: { title: Rental, version: 1.0.0 }
security: [{ partner: [] }]
paths:
  /rentals/{id}/photo:
    put:
      operationId: replacePhoto
      parameters:
        - { name: id, in: path, required: true, schema: { type: string, format: uuid } }
        - { name: on, in: query, required: true, schema: { type: string, format: date } }
        - { name: If-Match, in: header, required: true, schema: { type: string } }
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [photo, caption]
              properties: { photo: { type: string, format: binary }, caption: { type: string } }
      responses: { '204': { description: Done. } }
  /login:
    post:
      operationId: logIn
      security: [{ basic: [] }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [age], properties: { age: { type: integer } } } } }
      responses: { '204': { description: Done. } }
components:
  securitySchemes:
    partner: { type: apiKey, in: header, name: X-Partner-Key }
    basic: { type: http, scheme: basic }
`,
  });
  const rentalSamples = createSamples(rental, { variable: 'client' }, { ...mock, token: 'token' });
  const [photo, login] = rental.operations.map((operation) =>
    Object.fromEntries(rentalSamples(operation).samples.map(({ label, text }) => [label, text])),
  );
  // A form with files has no sample in languages whose library writes none.
  expect([Object.keys(photo ?? {}), Object.keys(login ?? {})]).toEqual([
    ['TypeScript'],
    ['TypeScript', 'curl', 'Python', 'PHP', 'Go'],
  ]);
  expect(photo?.TypeScript).toContain('withSerializers(createClient<paths>(');
  expect(photo?.TypeScript).toContain("headers: { 'X-Partner-Key': 'token' }");
  expect(photo?.TypeScript).toMatch(/photo: new Blob\(\[bytes\]\)/);
  expect(photo?.TypeScript).toMatch(
    /id: '[\da-f]{8}-[\da-f-]{27}'.*on: '\d{4}-\d\d-\d\d'.*'If-Match': '[^1]/s,
  );
  expect(login?.curl).toMatch(/Authorization: Basic [\w=]+'[\s\S]*--data-binary '\{\n {2}"age": \d+\n\}'$/);
});
