import { stat, utimes, writeFile } from 'node:fs/promises';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { servePortal } from '../../../server/http/pages.ts';
import { createHttpServer } from '../../../server/http/server.ts';
import { startService } from '../../support/service.ts';
import { startListening } from '../../support/start-listening.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('says how to build the documentation if it is not built', async () => {
  const { base } = await startService();
  for (const path of ['/docs', '/docs/', '/docs/guides/errors.html']) {
    const response = await fetch(base + path);
    expect([response.status, response.headers.get('content-type')], path).toEqual([
      404,
      'text/plain; charset=utf-8',
    ]);
    expect(await response.text()).toContain('Run npm run docs:build, and restart the service.');
  }
});

async function startPortal(page: string) {
  const folder = await temporaryFolder(onTestFinished);
  const file = `${folder}/index.html`;
  await writeFile(file, page);
  await writeFile(`${folder}/404.html`, '<head></head>not found');
  await writeFile(`${folder}/.hidden.html`, 'hidden');
  const base = await startListening(createHttpServer(express().use('/docs', servePortal(folder))));
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(base + path, { headers: { 'Accept-Encoding': 'gzip', 'Cache-Control': 'max-age=0', ...headers } });
  return {
    file,
    get,
    text: async () => (await get('/docs/')).text(),
  };
}

test('compresses each version of a page once', async () => {
  const { file, text } = await startPortal('one '.repeat(1_000));
  const requests = await Promise.all([text(), text(), text()]);
  expect(requests).toEqual(Array(3).fill('one '.repeat(1_000)));
  const { atime, mtime } = await stat(file);
  await writeFile(file, 'two '.repeat(1_000));
  await utimes(file, atime, mtime);
  // The file looks unchanged, so it is not read again.
  expect(await text()).toBe('one '.repeat(1_000));
  await utimes(file, atime, new Date(mtime.getTime() + 1_000));
  expect(await text()).toBe('two '.repeat(1_000));
});

test('compresses the page for clients that accept gzip', async () => {
  const { get } = await startPortal('page '.repeat(1_000));
  for (const [accepted, encoding] of [
    ['br, gzip', 'gzip'],
    ['gzip', 'gzip'],
    ['br', null],
    ['identity', null],
    ['gzip;q=0', null],
  ] as const) {
    const response = await get('/docs/', { 'Accept-Encoding': accepted });
    expect([response.headers.get('content-encoding'), response.headers.get('vary')], accepted).toEqual([
      encoding,
      'Accept-Encoding',
    ]);
    expect(await response.text()).toBe('page '.repeat(1_000));
  }
});

test.each(['gzip', 'identity'])(
  'returns 304 for an unchanged page, and 412 if it must be another (%s)',
  async (encoding) => {
    const { get } = await startPortal('page');
    const etag = (await get('/docs/')).headers.get('etag') ?? '';
    expect((await get('/docs/', { 'Accept-Encoding': encoding, 'If-None-Match': etag })).status).toBe(304);
    expect((await get('/docs/', { 'Accept-Encoding': encoding, 'If-Match': '"x"' })).status).toBe(412);
  },
);

test.each([
  '/docs/.hidden.html',
  '/docs/..%2f404.html',
  '/docs/%2e%2e/x.html',
  '/docs/a%00.html',
  '/docs/%zz.html',
])('serves no file for %s', async (path) => {
  const { get } = await startPortal('page');
  const response = await get(path);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await response.text()).not.toMatch(/hidden|^page/);
});
