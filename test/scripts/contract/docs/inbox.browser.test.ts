import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createViteServer } from 'vitest/node';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { mockToken } from '../../../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { startListening } from '../../../support/start-listening.ts';
import { axeViolations, startBrowser, watchedPage } from './browser.ts';
import { freePort, inboxIn, readersProject } from './reader-project.ts';

const onCleanup = (end: () => Promise<void>) => afterAll(end);
const browser = await startBrowser();
afterAll(() => browser.close());

const folder = await inboxIn(await readersProject(onCleanup));
const port = String(await freePort());
const stateful = await createMockServer({
  config: contractConfig,
  stateful: { webhooksTo: `http://127.0.0.1:${port}/webhooks` },
});
afterAll(() => stateful.close());
/** URL of the stateful mock that the server calls. */
const mock = await startListening(stateful.server, onCleanup);

/** Starts the server of the inbox. @returns what it prints */
async function startServer(port: string, onEnd: (end: () => void) => void): Promise<string> {
  const env = { ...process.env, PARLEY_URL: mock, PARLEY_TOKEN: mockToken, PORT: port };
  const server = spawn(process.execPath, ['server.ts'], { cwd: folder, env });
  onEnd(() => void server.kill());
  let printed = '';
  server.stderr.on('data', (text) => (printed += text));
  const ended = once(server, 'exit').then(() => Promise.reject(new Error(printed)));
  ended.catch(() => {});
  const [line] = await Promise.race([once(server.stdout, 'data'), ended]);
  return String(line);
}
const started = await startServer(port, (end) => afterAll(end));

vi.stubEnv('SERVER_URL', `http://127.0.0.1:${port}`);
const vite = await createViteServer({
  root: folder,
  configFile: `${folder}/vite.config.ts`,
  logLevel: 'error',
  server: { host: '127.0.0.1', port: await freePort() },
});
afterAll(() => vite.close());
await vite.listen();
/** URL of the page. */
const site = vite.resolvedUrls?.local[0] ?? '';

/** Opens the inbox. */
async function open() {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const { page, errors, forbiddenRequests } = await watchedPage(context, ({ href }) => href.startsWith(site));
  await page.goto(site);
  return { page, errors, forbiddenRequests };
}

const headers = { Authorization: `Bearer ${mockToken}` };
/** Stores a message in conversation 880: of the contact with `_mock/messages`, of the company with `api/v1/messages`. */
const store = (path: '_mock/messages' | 'api/v1/messages', payload: string) =>
  fetch(`${mock}/${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ conversation_id: 880, type: 'text', payload }),
  });
const isFrom = (author: string) => `[data-from="${author}"]`;

test('the server names a port that is in use, and what to do, in one line', async () => {
  const second = startServer(port, (end) => onTestFinished(end));
  await expect(second).rejects.toThrow(
    /^listen EADDRINUSE: .* Choose another port: PORT=3001 npm run server\n$/,
  );
});

test('shows conversations with their contacts, opens one, and shows a message when it arrives', async () => {
  const { page, errors, forbiddenRequests } = await open();
  await page.getByRole('link', { name: 'Ada Lindqvist (webchat)' }).click();
  await page.locator(isFrom('contact'), { hasText: 'Where is my order?' }).waitFor();
  await store('_mock/messages', 'Has it left?');
  await page.locator(isFrom('contact'), { hasText: 'Has it left?' }).waitFor();
  await page.getByRole('navigation').getByText('Has it left?').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.goBack();
  await page.getByText('Choose a conversation.').waitFor();
  expect([errors, forbiddenRequests]).toEqual([[], []]);
});

test('shows a message before it is stored, and sends it again with the same key after the user has signed in', async () => {
  const { page } = await open();
  const keys: (string | undefined)[] = [];
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/messages', async (route) => {
    keys.push(
      await route
        .request()
        .headerValue('Idempotency-Key')
        .then((key) => key ?? undefined),
    );
    await held.promise;
    const response = await route.fetch();
    // The service has stored the message, but the page does not know it.
    const noToken = { code: 40101, message: 'Send a token.', fields: '' };
    const failures = [{ status: 401 }, { status: 401, json: noToken }];
    await route.fulfill(failures[keys.length - 1] ?? { response });
  });
  await page.goto(`${site}#880`);
  await page.getByLabel('Message').fill('On its way.');
  await page.getByRole('button', { name: 'Send' }).click();
  const shown = page.locator(isFrom('company'), { hasText: 'On its way.' });
  await shown.and(page.locator('[data-waiting]')).waitFor();
  held.resolve();
  // The outbox may not have seen the response yet.
  const attempts = async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')));
    return keys.length;
  };
  await expect.poll(attempts).toBe(3);
  await page.locator(`${isFrom('company')}:not([data-waiting])`, { hasText: 'On its way.' }).waitFor();
  await expect.poll(() => page.locator('[data-waiting]').count()).toBe(0);
  expect(await shown.count()).toBe(1);
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([3, 1, expect.stringMatching(/^[\da-f-]{36}$/)]);
  const stored = await (await fetch(`${mock}/api/v1/conversations/880`, { headers })).json();
  expect(
    stored.messages.filter(({ payload }: { payload: string }) => payload === 'On its way.'),
  ).toHaveLength(1);
});

test('shows each sent message once while the responses are slow', async () => {
  const { page } = await open();
  const responses = ['One.', 'Two.'].map((text) => ({ text, held: Promise.withResolvers<void>() }));
  await page.route('**/api/v1/messages', async (route) => {
    const response = await route.fetch();
    const { payload } = route.request().postDataJSON();
    await responses.find(({ text }) => text === payload)?.held.promise;
    await route.fulfill({ response });
  });
  await page.goto(`${site}#880`);
  for (const { text } of responses) {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  }
  const shown = () => page.locator(isFrom('company'), { hasText: /^(One|Two|Colleague)\./ }).allInnerTexts();
  const expected = ['One.', 'Two.'];
  for (const [at, { text, held }] of responses.entries()) {
    await page.getByRole('navigation').getByText(text).waitFor();
    // A message of a colleague is shown while a response is awaited.
    await store('api/v1/messages', `Colleague. ${text}`);
    await page.locator(isFrom('company'), { hasText: `Colleague. ${text}` }).waitFor();
    expect((await shown()).toSorted()).toEqual([`Colleague. ${text}`, ...expected].toSorted());
    expected.splice(2 * at + 1, 0, `Colleague. ${text}`);
    held.resolve();
  }
  await expect.poll(() => page.locator('[data-waiting]').count()).toBe(0);
  await expect.poll(shown).toEqual(expected);
});

test('keeps a rejected message with the reason until the user discards it', async () => {
  const { page } = await open();
  await page.goto(`${site}#880`);
  await page.getByLabel('Message').fill('x'.repeat(65_537));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Correct these fields: /payload').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => page.locator('[data-waiting]').count()).toBe(0);
});

test('its server forwards only what the page needs, and accepts only signed events', async () => {
  expect((await fetch(`${site}api/v1/fields`)).status).toBe(404);
  expect((await fetch(`${site}api/v1/contacts/4021`, { method: 'PUT' })).status).toBe(404);
  const server = process.env.SERVER_URL;
  expect((await fetch(`${server}/webhooks`, { method: 'POST', body: '{}' })).status).toBe(400);
});

test('its server registers one webhook when it starts twice', async () => {
  const webhook = /Webhook: \d+/;
  expect(await startServer('0', (end) => onTestFinished(end))).toContain(webhook.exec(started)?.[0]);
});

test('its packages have the versions with which it is tested', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync('openapi/guides/inbox/package.json', 'utf8'),
  );
  const installed = Object.keys({ ...dependencies, ...devDependencies }).map((name) => [
    name,
    JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version,
  ]);
  expect({ ...dependencies, ...devDependencies }).toEqual(Object.fromEntries(installed));
});
