import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, expect, test } from 'vitest';
import { contractConfig } from '../../../parley-contract.config.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import { mockToken } from '../../../scripts/contract/mock/authenticate.ts';
import { loadMock } from '../../../scripts/contract/survive/load-mock.ts';
import { startScenarioServer } from '../../../scripts/contract/survive/scenario-server.ts';
import { startBrowser } from '../../scripts/contract/docs/browser.ts';
import { reactExample } from '../../scripts/contract/docs/react-example.ts';
import { readersProject } from '../../scripts/contract/docs/reader-project.ts';
import { isLong } from '../../support/sampling.ts';
import { startListening } from '../../support/start-listening.ts';

const main = `import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { queryClient } from './api.ts';
import { ContactList } from './ContactList.tsx';
import { Conversation } from './Conversation.tsx';

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <QueryClientProvider client={queryClient}>
    <App />
    <ContactList />
    <Conversation id={880} />
  </QueryClientProvider>,
);
`;

/** Bundles the application of the guide on React. Its own server has the same origin. */
async function bundleExample(): Promise<string> {
  const folder = join(await readersProject((end) => afterAll(end)), 'src');
  await mkdir(folder);
  for (const [name, text] of Object.entries({ ...reactExample(), 'main.tsx': main })) {
    // The rest of the sample tries the queue.
    const [code = ''] = text.split('// The rest tries the queue');
    await writeFile(
      join(folder, name),
      code.replaceAll(/https:\/\/app\.example\.com|http:\/\/127\.0\.0\.1:4010/g, '/'),
    );
  }
  const bundle = await rolldown({
    input: join(folder, 'main.tsx'),
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
const script = await bundleExample();

/** The team's own server: it serves the page, and forwards requests with the token. */
const site = await startListening(
  createServer((req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/') {
      res.setHeader('Content-Type', 'text/html').end('<script type="module" src="/main.js"></script>');
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
  }),
  (end) => afterAll(end),
);

/** Returns the text of the application when nothing loads any more, and its uncaught errors. */
async function show(): Promise<{ text: string; errors: string[] }> {
  const page = await browser.newPage();
  const errors: string[] = [];
  const hasFailed = page.waitForEvent('pageerror', { timeout: 0 }).then(
    (error) => void errors.push(String(error)),
    () => {},
  );
  await page.goto(site);
  const isShown = page.waitForFunction(
    () => document.querySelector('main')?.innerText && !document.body.innerText.includes('Loading…'),
    undefined,
    // Without an end of the body, each attempt waits for its time-out.
    { timeout: 240_000 },
  );
  await Promise.race([isShown, hasFailed]);
  await page.waitForLoadState('networkidle');
  const text = await page.innerText('main');
  await page.close();
  return { text, errors };
}

/** A sample of each class and effect, without those that wait. */
const sample = [
  ...['status-404', 'nulls', 'empty-lists', 'smallest-values', 'largest-values', 'small-pages'],
  ...['new-properties', 'new-enum-values', 'number-forms', 'charset', 'gzip', 'login-page'],
];
const scenarios = server.scenarios.filter(({ name }) => isLong || sample.includes(name));

const usual = await show();

test.each(scenarios)('the React example survives $name', async ({ name, effect }) => {
  server.start({ name });
  const { text, errors } = await show();
  expect(errors).toEqual([]);
  expect(text).not.toMatch(/undefined|\[object|NaN/);
  if (effect === 'nothing') expect(text).toBe(usual.text);
  // An error is shown instead of a contact, unless the client has repeated the request and got the contact.
  const last = server.observed().requests.findLast(({ operation }) => operation === 'getContact');
  const isError = last?.body === undefined;
  if (effect === 'error') expect(text.split('\n')[0] !== usual.text.split('\n')[0]).toBe(isError);
});
