import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumArguments, findChromium } from '../../../../scripts/lib/chromium.ts';

export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('There is no Chromium: apt-get install chromium, or name one by PARLEY_CHROMIUM.');
  return await chromium.launch({ executablePath, args: chromiumArguments });
}

export interface Watched {
  page: Page;
  /** Console errors and warnings, uncaught script errors, and dialogs. */
  errors: string[];
  /** URLs of requests that are not allowed. */
  forbiddenRequests: string[];
}

/** Opens a page, and records its errors and its requests to URLs that are not allowed. */
export async function watchedPage(context: BrowserContext, allowed: (url: URL) => boolean): Promise<Watched> {
  const page = await context.newPage();
  const [errors, forbiddenRequests]: [string[], string[]] = [[], []];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('dialog', (dialog) => {
    errors.push('dialog');
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && !allowed(url)) forbiddenRequests.push(request.url());
  });
  return { page, errors, forbiddenRequests };
}
