import fc from 'fast-check';
import { expect, test } from 'vitest';
import { basePathsOf } from '../../../scripts/contract/model/base-paths.ts';
import { createPathTree } from '../../../server/contract/path-tree.ts';
import { servePipeline } from './serve-pipeline.ts';

const variable = (value: string, ...others: string[]) => ({ default: value, enum: [value, ...others] });

const manyValues = Array.from({ length: 150 }, (_, index) => `t${index}`);

test('refuses a server with more paths than it recognizes', () => {
  const servers = [{ url: '/{tenant}', variables: { tenant: variable('a', ...manyValues) } }];
  expect(() => basePathsOf(servers)).toThrow(/has more than 100 paths/);
});

test.each<[unknown, string[]]>([
  [undefined, ['']],
  [[], ['']],
  [[{ url: '/' }], ['']],
  [[{ url: 'https://api.example.com' }], ['']],
  [
    [{ url: 'https://api.example.com/v1/' }, { url: 'v2' }],
    ['/v1', '/v2'],
  ],
  [
    [{ url: 'https://{host}:{port}/{version}', variables: { version: variable('v1', 'v2') } }],
    ['/v1', '/v2'],
  ],
  [[{ url: '{url}', variables: { url: { default: 'https://example.com/api' } } }], ['/api']],
  [
    [{ url: 'https://{host}{base}', variables: { host: { default: 'a.com' }, base: { default: '/v1' } } }],
    ['/v1'],
  ],
  [
    [{ url: './v1' }, { url: '../v2' }, { url: '/v3/.' }, { url: '/v0/../v4' }, { url: '.' }],
    ['/v1', '/v2', '/v3', '/v4', ''],
  ],
  [
    [{ url: 'https://a.com/v1?x=1' }, { url: '/v2#x' }, { url: ' /v3 ' }],
    ['/v1', '/v2', '/v3'],
  ],
  // Any value is allowed.
  [[{ url: '/{tenant}/v1', variables: { tenant: { default: 'demo' } } }], ['/demo/v1', '/{tenant}/v1']],
  [
    [
      {
        url: 'https://{a}.{b}.example.com/v1',
        variables: { a: variable('a', ...manyValues), b: variable('b', ...manyValues) },
      },
    ],
    ['/v1'],
  ],
])('the base paths of %j are %j', (servers, paths) => {
  expect(basePathsOf(servers)).toEqual(paths);
});

test('serves an operation below its own servers, else those of its path, else those of the document', async () => {
  const operation = { responses: { 204: { description: 'Yes.' } } };
  const paths = {
    '/a': { get: operation },
    '/b': { servers: [{ url: '/v2' }], get: operation, put: { ...operation, servers: [{ url: '/v3' }] } },
  };
  const servers = [{ url: '/v1' }, { url: '/latest' }];
  const base = await servePipeline({ servers, paths }, async () => ({ status: 204 }));
  const status = async (method: string, path: string) => (await fetch(base + path, { method })).status;
  for (const path of ['/v1/a', '/latest/a', '/v2/b']) expect(await status('GET', path), path).toBe(204);
  expect(await status('PUT', '/v3/b')).toBe(204);
  for (const path of ['/v1/b', '/latest/b', '/b', '/v2/a']) expect(await status('GET', path), path).toBe(404);
  expect(await status('PUT', '/v2/b')).toBe(405);
});

test('passes ignored paths, and those outside of its servers, on to Express', async () => {
  const get = { responses: { 204: { description: 'Yes.' } } };
  const document = { servers: [{ url: '/v1' }], paths: { '/a': { get } } };
  const ignore = (path: string) => path === '/v1/docs';
  const base = await servePipeline(document, async () => ({ status: 204 }), { ignore });
  const expressHandles = async (path: string) => {
    const response = await fetch(base + path);
    expect(response.status).toBe(404);
    return response.headers.get('content-type') === 'text/html; charset=utf-8';
  };
  for (const path of ['/v1/docs', '/about']) expect(await expressHandles(path), path).toBe(true);
  expect(await expressHandles('/v1/x')).toBe(false);
});

test('if paths differ only in parameter names, each operation gets the names of its own path', async () => {
  const at = (name: string) => ({
    parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: { description: 'Yes.', content: { 'application/json': { schema: {} } } } },
  });
  const paths = { '/a/{id}': { get: at('id') }, '/a/{name}': { delete: at('name') } };
  const base = await servePipeline({ paths }, async (_operation, { path }) => ({ status: 200, body: path }));
  const send = (method: string) => fetch(`${base}/a/x`, { method });
  expect(await (await send('GET')).json()).toEqual({ id: 'x' });
  expect(await (await send('DELETE')).json()).toEqual({ name: 'x' });
  expect((await send('PUT')).headers.get('allow')).toBe('GET, DELETE, HEAD');
});

test('any parameter value matches its template, and is returned unchanged', () => {
  const tree = createPathTree<string>();
  tree.add('/a/{one}/b/{other}', 'found');
  const segment = fc.stringMatching(/^[^/?#]+$/);
  fc.assert(
    fc.property(segment, segment, (one, other) => {
      expect(tree.find(`/a/${one}/b/${other}`)).toEqual({ value: 'found', parameters: [one, other] });
    }),
  );
});
