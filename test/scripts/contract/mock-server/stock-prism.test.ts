import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { serializeRequest } from '../../../../scripts/testing/requests/serialize.ts';
import { exampleRequests } from '../../../support/example-requests.ts';

/** The stock Prism, as `npm run mock:prism` starts it. */
const prism = spawn(
  process.execPath,
  ['node_modules/@stoplight/prism-cli/dist/index.js', 'mock', 'generated/openapi.json', '--port', '0'],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
let base = '';

beforeAll(async () => {
  let output = '';
  const listens = Promise.withResolvers<string>();
  // Read to the end: Prism stops if nobody reads what it writes.
  prism.stdout.on('data', (chunk) => {
    output += chunk;
    const [, url] = /is listening on (http:\/\/[\d.:]+)/.exec(output) ?? [];
    if (url !== undefined) listens.resolve(url);
  });
  prism.once('exit', () => listens.reject(new Error(output)));
  base = await listens.promise;
}, 60_000);

afterAll(async () => {
  prism.kill();
  if (prism.exitCode === null && prism.signalCode === null) await once(prism, 'exit');
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${base}/api/v1${path}`, { headers: { Authorization: 'Bearer any', ...headers } });

test('the stock Prism accepts every example request of the contract', async () => {
  const { send, close } = createRequestSender(base, 10_000);
  onTestFinished(close);
  const refused: string[] = [];
  for (const { name, request } of exampleRequests) {
    const wire = serializeRequest(request);
    const { status } = await send({ ...wire, headers: { ...wire.headers, Authorization: 'Bearer any' } });
    if (status >= 300) refused.push(`${name}: ${status}`);
  }
  expect(refused).toEqual([]);
});

test('the stock Prism takes the preferences of the guide', async () => {
  expect((await get('/contacts/7', { Prefer: 'code=404' })).status).toBe(404);
  const past = await get('/contacts', { Prefer: 'example=pastTheEnd' });
  expect([past.status, await past.json()]).toEqual([200, []]);
  expect((await get('/contacts/7', { Authorization: '' })).status).toBe(401);
});
