import { createServer } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { startListening } from '../../../support/start-listening.ts';
import { watchedPage } from './browser.ts';

/** Serves files by path, from which a page may load scripts and nothing else, and opens the one at `/`. */
export async function openPage(
  context: BrowserContext,
  files: Readonly<Record<string, { type: string; text: string }>>,
): ReturnType<typeof watchedPage> {
  const server = createServer(({ url = '' }, res) => {
    const file = files[url];
    res.writeHead(file ? 200 : 404, {
      'Content-Type': file?.type ?? 'text/plain',
      'Content-Security-Policy': "default-src 'none'; script-src 'self'",
    });
    res.end(file?.text);
  });
  const origin = await startListening(server);
  const watched = await watchedPage(context, (url) => url.origin === origin);
  await watched.page.goto(origin);
  return watched;
}
