import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { contractConfig } from '../../../parley-contract.config.ts';
import { createDocsServer } from '../../../scripts/contract/docs/dev-server.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import { mockToken } from '../../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../../scripts/contract/mock-server/server.ts';
import { loadMock } from '../../../scripts/contract/survive/load-mock.ts';
import { startScenarioServer } from '../../../scripts/contract/survive/scenario-server.ts';
import { rejectionOf } from '../../../scripts/lib/local-server.ts';
import { startCommand } from '../../support/run-command.ts';
import { startListening } from '../../support/start-listening.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function docsServer(): Promise<Server> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'index.html'), 'page');
  await writeFile(join(folder, '404.html'), 'page');
  return createDocsServer(folder).server;
}

async function statefulMock(): Promise<string> {
  const { server, close } = await createMockServer({ config: contractConfig, stateful: {} });
  onTestFinished(close);
  return startListening(server);
}

async function scenarioServer(): Promise<string> {
  const mock = await loadMock(await loadContract(contractConfig.api), contractConfig, contractConfig.api);
  const server = await startScenarioServer(mock, { onError: () => {} });
  onTestFinished(async () => server.close());
  return server.url;
}

const exampleMock = async () => startListening((await createMockServer({ config: contractConfig })).server);

/** Every server that our tools start for developers, and requests that read, write and control it. */
const servers: [string, () => Promise<string>, string[]][] = [
  [
    'mock',
    exampleMock,
    ['GET /contacts/4021', 'GET /openapi.json', 'POST /messages', 'POST /_mock/scenario'],
  ],
  [
    'mock --stateful',
    statefulMock,
    [
      'GET /contacts/1',
      'DELETE /contacts/1',
      'POST /_mock/reset',
      'POST /_mock/messages',
      'OPTIONS /contacts/1',
    ],
  ],
  ['survive --serve', scenarioServer, ['GET /contacts/4021', 'POST /_scenario', 'POST /_survived']],
  ['docs --serve', async () => startListening(await docsServer()), ['GET /', 'GET /live']],
];

/** Sends a request as a page of another website can cause it. */
async function send(url: string, method: string, path: string, headers: Record<string, string>) {
  const sent = request(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${mockToken}`, 'access-control-request-method': 'DELETE', ...headers },
  });
  sent.end(method === 'POST' ? '{}' : undefined);
  const [response] = await once(sent, 'response');
  const isOpen = path === '/live' && response.statusCode === 200;
  if (isOpen) response.destroy();
  return { status: response.statusCode, headers: response.headers, body: isOpen ? '' : await text(response) };
}

const hostile: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://127.0.0.1.evil.example' },
  { origin: 'http://evil.example#@localhost' },
  { origin: 'http://localhost@evil.example' },
  { origin: 'file://localhost' },
  { host: 'evil.example' },
  { host: 'evil.example:4010' },
  { host: 'localhost.evil.example' },
  { host: '127.0.0.1.evil.example' },
  { host: 'evil.example', origin: 'http://evil.example' },
  // An image, a script or a frame of the page.
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script', referer: 'https://evil.example/page' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe', referer: 'http://localhost@evil.example/' },
];

test.each(servers)(
  '%s rejects pages of other websites, also after DNS rebinding',
  async (_name, start, requests) => {
    const url = await start();
    for (const headers of hostile)
      for (const each of requests) {
        const [method = '', path = ''] = each.split(' ');
        const { status, headers: got, body } = await send(url, method, path, headers);
        const about = `${each} ${JSON.stringify(headers)}`;
        expect([status, got['access-control-allow-origin']], about).toEqual([403, undefined]);
        expect(JSON.parse(body).detail, about).toMatch(/is not allowed|are not allowed/);
      }
  },
);

test.each(servers)('%s admits programs, and pages of this machine', async (_name, start, requests) => {
  const url = await start();
  const [, path = ''] = requests[0]?.split(' ') ?? [];
  for (const headers of [
    {},
    { origin: 'http://localhost:5173' },
    { origin: 'http://127.0.0.1:3000' },
    { origin: 'http://[::1]:3000' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image', referer: 'http://localhost:3000/page' },
    // A link of another website, which the user has followed.
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', referer: 'https://github.com/' },
    { host: 'localhost:4010' },
    { host: '[::1]:4010' },
    { host: 'LOCALHOST.' },
    { host: '10.0.0.7:4010' },
    // A container, or another machine of a local network.
    { host: 'mock:4010' },
  ])
    expect((await send(url, 'GET', path, headers)).status, JSON.stringify(headers)).not.toBe(403);
});

test('mocks send CORS headers only to pages of this machine, and to allowed ones', async () => {
  const callers = { origins: ['https://app.example'], hosts: ['mock.example'] };
  const url = await startListening((await createMockServer({ config: contractConfig, callers })).server);
  const originFor = async (headers: Record<string, string>) =>
    (await send(url, 'GET', '/contacts/4021', headers)).headers['access-control-allow-origin'];
  expect(await originFor({ origin: 'http://localhost:5173' })).toBe('http://localhost:5173');
  expect(await originFor({ origin: 'https://app.example', host: 'mock.example' })).toBe(
    'https://app.example',
  );
  expect(await originFor({ origin: 'https://evil.example' })).toBeUndefined();
});

test('names the option that allows a caller, if the command has it', () => {
  const origins: string[] = [];
  expect(rejectionOf({ host: 'a.example:80' }, { origins })).toContain('--allow-host a.example');
  expect(rejectionOf({ host: "a.$(id)'.example" }, { origins })).toContain(
    "--allow-host 'a.$(id)'\\''.example'",
  );
  for (const origin of ['https://a.example', 'http://192.168.1.20:3000', 'http://web:3000'])
    expect(rejectionOf({ origin }, { origins })).toMatch(new RegExp(`Allow them: --allow-origin ${origin}$`));
  expect(rejectionOf({ origin: 'http://a;id' }, { origins })).toContain("--allow-origin 'http://a;id'");
  expect(rejectionOf({ origin: 'https://a.example' })).toBe('Pages of https://a.example are not allowed.');
  expect(rejectionOf({ origin: 'null' }, { origins: ['null'] })).toBeUndefined();
});

test('the mock prints how to allow a page that it rejects', async () => {
  const mock = startCommand(['mock', '--port', '0']);
  onTestFinished(mock.stop);
  await mock.ended;
  const url = /listens on (http:\S+)/.exec(mock.out)?.[1] ?? '';
  const { status, body } = await send(url, 'GET', '/api/v1/contacts', { origin: 'http://web:3000' });
  const reason = 'Pages of http://web:3000 are not allowed. Allow them: --allow-origin http://web:3000';
  expect([status, JSON.parse(body).detail]).toEqual([403, reason]);
  await expect.poll(() => mock.err).toContain(`403 ${reason}`);
});
