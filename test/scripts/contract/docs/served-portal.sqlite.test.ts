import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { startService } from '../../../support/service.ts';
import { buildPortal } from './portal.ts';

let folder: string;

beforeAll(async () => {
  folder = await buildPortal();
});

test('the service serves a built portal without authentication', async () => {
  const { base } = await startService({ portal: folder });
  const get = (path: string) => fetch(base + path, { headers: { 'X-Request-Id': 'mine' } });
  const page = await get('/docs');
  expect([page.status, page.url, page.headers.get('content-type')]).toEqual([
    200,
    `${base}/docs/`,
    'text/html; charset=utf-8',
  ]);
  expect(await page.text()).toContain(`<h1>${document.info.summary}</h1>`);
  expect(page.headers.get('content-security-policy')?.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "base-uri 'self'",
      "frame-ancestors 'none'",
    ]),
  );
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  const connectOf = async (path: string) =>
    /connect-src ([^;]*)/.exec((await get(path)).headers.get('content-security-policy') ?? '')?.[1];
  for (const path of ['/docs/', '/docs/guides/errors.html', '/docs/decisions.html', '/docs/nothing.html'])
    expect(await connectOf(path), path).toBe("'self'");
  // Readers send requests to servers that they choose.
  expect(await connectOf('/docs/reference/createContact.html')).toBe('*');
  expect(page.headers.get('x-request-id')).toBe('mine');
  expect((await get('/docs/guides/errors.html')).status).toBe(200);
  expect(await (await get('/docs/service.js')).text()).toBe('window.parleyService = location.origin;\n');
  expect(await (await get('/docs/openapi.json')).json()).toMatchObject({ openapi: '3.1.1' });
  const missing = await get('/docs/nothing.html');
  expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('Page not found')]);
  // The links of the 404 page are correct at any path depth.
  const deep = await (await get('/docs/guides/gone/nothing.html')).text();
  const links = Array.from(deep.matchAll(/(?:href|src)="([^"]*)"/g), ([, link = '']) => link);
  expect(links.filter((link) => !/^(#|\/docs\/)/.test(link))).toEqual([]);
  expect(links).toContain('/docs/assets/site.css');
  const half = await fetch(`${base}/docs/nothing.html`, { headers: { Range: 'bytes=0-10' } });
  expect(half.status).toBe(404);
  const condition = await fetch(`${base}/docs/`, { headers: { 'If-Match': '"x"' } });
  expect([condition.status, await condition.text()]).toEqual([412, 'The page has changed.\n']);
});

test('with a portal, API responses stay the same', async () => {
  const served = await startService({ portal: folder });
  expect(await served.api.send('/docs/', { method: 'POST', body: '{}' })).toBeApiError(404, 40402);
  expect((await served.api.listContacts()).status).toBe(200);
});

test('the openapi.json in the portal equals the contract of the service', () => {
  const made = JSON.parse(readFileSync(`${folder}/openapi.json`, 'utf8'));
  const { 'x-generated-by': _, ...contract } = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
  expect(made).toEqual(contract);
});
