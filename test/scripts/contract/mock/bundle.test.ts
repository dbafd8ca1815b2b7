import { afterAll, expect, test } from 'vitest';
import { createMock, mockToken } from '../../../../generated/mock.js';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { bundleEntry } from '../../../../scripts/contract/client/bundle-size.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { startListening } from '../../../support/start-listening.ts';

const { server } = await createMockServer({ config: contractConfig });
const base = await startListening(server, afterAll);
const mock = createMock();

const post = (body: string, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});

// Both forms run the same functions, so only what they make of a message can differ.
test.each<[what: string, path: string, sent?: RequestInit]>([
  ['a list with links and a total', '/contacts?per_page=5&page=1', { headers: { Prefer: 'count=exact' } }],
  ['HEAD', '/contacts/4021', { method: 'HEAD' }],
  ['OPTIONS', '/contacts', { method: 'OPTIONS' }],
  ['an undocumented method', '/contacts', { method: 'PROPFIND' }],
  ['an unknown path', '/contacts/1/more'],
  ['malformed percent-encoding in the path', '/contacts/%E0%A4%A'],
  ['malformed percent-encoding in the query', '/contacts?page=%ZZ'],
  ['a repeated parameter', '/contacts?page=1&page=2'],
  ['no credentials', '/contacts', { headers: { Authorization: '' } }],
  ['a precondition', '/contacts/4021', { ...post('{}', { 'If-Match': '"a"' }), method: 'PUT' }],
  ['a preferred error', '/contacts', { headers: { Prefer: 'code=503' } }],
  ['a body', '/contacts', post('{"first_name":"Ada"}', { 'Idempotency-Key': 'k-1' })],
  ['malformed JSON', '/contacts', post('{')],
  ['invalid properties', '/contacts', post('{"first_name":7,"foo":1}')],
  ['another media type', '/contacts', post('a', { 'Content-Type': 'text/plain' })],
  ['a compressed body', '/contacts', post('{}', { 'Content-Encoding': 'gzip' })],
  ['a body in Latin-1', '/contacts', post('{}', { 'Content-Type': 'application/json; charset=latin1' })],
  ['a body that is too large', '/contacts', post(' '.repeat(1_048_577))],
])('the mock inside a page responds like the mock server: %s', async (_what, path, sent = {}) => {
  const headers = { Authorization: `Bearer ${mockToken}`, ...sent.headers };
  const outcomes = [fetch, mock.fetch].map(async (send) => {
    const response = await send(`${base}/api/v1${path}`, { ...sent, headers });
    const names = [
      'Content-Type',
      'Link',
      'X-Total-Count',
      'ETag',
      'Allow',
      'WWW-Authenticate',
      'Retry-After',
    ];
    return [response.status, await response.text(), ...names.map((name) => response.headers.get(name))];
  });
  const [there, here] = await Promise.all(outcomes);
  expect(here).toEqual(there);
});

test('the bundle of the mock has at most 50 KB after compression, and evaluates no strings', async () => {
  // Minified again, as by the bundler of an application.
  const bundle = await bundleEntry('generated/mock.js');
  expect(bundle.bytes).toBeLessThan(50_000);
  expect(bundle.code).not.toMatch(/\beval\(|new Function\(/);
});
