import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, expect, test } from 'vitest';
import { contractConfig } from '../../../parley-contract.config.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import { mockToken } from '../../../scripts/contract/mock/authenticate.ts';
import { loadMock } from '../../../scripts/contract/survive/load-mock.ts';
import { startScenarioServer } from '../../../scripts/contract/survive/scenario-server.ts';
import { startBrowser } from '../../scripts/contract/docs/browser.ts';
import { inboxProject } from '../../scripts/contract/docs/reader-project.ts';
import { isLong } from '../../support/sampling.ts';
import { startListening } from '../../support/start-listening.ts';
import { afterAllTests } from '../../support/temporary-folder.ts';

/** Bundles the inbox of the guides. */
async function bundleInbox(): Promise<string> {
  const folder = await inboxProject(afterAllTests);
  const bundle = await rolldown({
    input: join(folder, 'src/main.tsx'),
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    resolve: { symlinks: true, modules: [join(folder, '../node_modules'), resolve('node_modules')] },
  });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  return output[0].code;
}

const mock = await loadMock(await loadContract(contractConfig.api), contractConfig, contractConfig.api);
const server = await startScenarioServer(mock, {
  onError(error) {
    throw error;
  },
});
const browser = await startBrowser();
afterAll(async () => {
  server.close();
  await browser.close();
});
const script = await bundleInbox();

/** The team's own server: it serves the page, and forwards requests with the token. */
const site = await startListening((req, res) => {
  if (req.url === '/') {
    res
      .setHeader('Content-Type', 'text/html')
      .end('<div id="root"></div><script type="module" src="/main.js"></script>');
    return;
  }
  if (req.url === '/main.js') {
    res.setHeader('Content-Type', 'text/javascript').end(script);
    return;
  }
  const headers = { ...req.headers, authorization: `Bearer ${mockToken}` };
  const forwarded = request(server.url + req.url, { method: req.method, headers }, (response) => {
    res.writeHead(response.statusCode ?? 502, response.headers);
    response.on('error', () => res.destroy()).pipe(res);
  });
  forwarded.on('error', () => res.destroy());
  res.on('close', () => forwarded.destroy());
  req.pipe(forwarded);
}, afterAllTests);

/** Returns the text of the inbox when nothing loads any more, its messages about errors, and its uncaught errors. */
async function show(): Promise<{ text: string; alerts: number; errors: string[] }> {
  const page = await browser.newPage();
  const errors: string[] = [];
  const hasFailed = page.waitForEvent('pageerror', { timeout: 0 }).then(
    (error) => void errors.push(String(error)),
    () => {},
  );
  await page.goto(`${site}/#880`);
  const isShown = page.waitForFunction(
    () => document.querySelector('nav') && !document.body.innerText.includes('Loading…'),
    undefined,
    // Without an end of the body, each attempt waits for its time-out.
    { timeout: 240_000 },
  );
  await Promise.race([isShown, hasFailed]);
  await page.waitForLoadState('networkidle');
  const text = await page.innerText('#root');
  const alerts = await page.locator('nav [role=alert]').count();
  await page.close();
  return { text, alerts, errors };
}

/** A sample of each class and effect, without those that wait. */
const sample = [
  ...['status-404', 'nulls', 'empty-lists', 'smallest-values', 'largest-values', 'small-pages'],
  ...['new-properties', 'new-enum-values', 'number-forms', 'charset', 'gzip', 'login-page'],
];
const scenarios = server.scenarios.filter(({ name }) => isLong || sample.includes(name));

const usual = await show();

test.each(scenarios)('the inbox of the guides survives $name', async ({ name, effect }) => {
  server.start({ name });
  const { text, alerts, errors } = await show();
  expect(errors).toEqual([]);
  expect(text).not.toMatch(/undefined|\[object|NaN/);
  if (effect === 'nothing') expect(text).toBe(usual.text);
  // An error is shown instead of the list, unless the client has repeated the request and got the list.
  const last = server.observed().requests.findLast(({ operation }) => operation === 'listConversations');
  if (effect === 'error') expect(alerts === 1).toBe(last?.body === undefined);
});
