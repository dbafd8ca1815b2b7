import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from './app.js';

let server: Server;
beforeAll(
  () =>
    new Promise<void>((done) => {
      server = createApp().listen(0, '127.0.0.1', () => done());
    }),
);
afterAll(() => void server.close());

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa('ann:secret')}`,
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: isJson ? await response.json() : undefined };
}

const ticket = { email: 'eve@example.com', seats: 2, site: 'https://example.com/' };

test('opens a ticket with defaults, and gets it', async () => {
  const opened = await send('POST', '/tickets', ticket);
  expect(opened).toMatchObject({ status: 201, body: { ...ticket, class: 'second' } });
  expect((await send('GET', `/tickets/${opened.body.id}`)).body).toEqual(opened.body);
});

test('lists tickets since a date', async () => {
  const { body } = await send('GET', '/tickets?since=2024-05-02');
  expect(body.every(({ opened }: { opened: string }) => opened > '2024-05-02')).toBe(true);
  expect((await send('GET', '/tickets')).body.length).toBeGreaterThan(body.length);
});

test.each([
  ['an email address', 'POST', '/tickets', { ...ticket, email: 'eve' }],
  ['a URI', 'POST', '/tickets', { ...ticket, site: 'example' }],
  ['the number of seats', 'POST', '/tickets', { ...ticket, seats: 9 }],
  ['a date', 'GET', '/tickets?since=yesterday', undefined],
  ['a UUID', 'GET', '/tickets/7', undefined],
])('refuses %s that is invalid', async (_what, method, path, body) => {
  expect(await send(method, path, body)).toMatchObject({ status: 400, body: { code: 'invalid' } });
});

test('refuses an invalid header', async () => {
  expect((await send('GET', '/tickets', undefined, { 'x-trace': '7' })).status).toBe(400);
});

test('refuses other accounts', async () => {
  const authorization = `Basic ${btoa('ann:guessed')}`;
  expect((await send('POST', '/tickets', ticket, { authorization })).status).toBe(401);
});

test('fails when all are sold, because the contract does not have the status of the error', async () => {
  let last = await send('POST', '/tickets', { ...ticket, seats: 8 });
  while (last.status === 201) last = await send('POST', '/tickets', { ...ticket, seats: 8 });
  expect(last.status).toBe(500);
});

test('has errors of its own', async () => {
  expect(await send('GET', '/tickets/7d444840-9dc0-11d1-b245-5ffdce74fad3')).toEqual({
    status: 404,
    body: { code: 'invalid', message: 'There is no such ticket.' },
  });
});
