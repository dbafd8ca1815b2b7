import { createServer } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../../support/installed-programs.ts';
import { startListening } from '../../../support/start-listening.ts';

/** Arguments that stop background requests and allow running as root. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

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

/**
 * Returns what axe finds in a page, with the first element of each rule.
 * @param rules the rules to check, by default all
 */
export async function axeViolations(page: Page, rules: readonly string[] = []) {
  const axe = new AxeBuilder({ page })
    .options({
      // Otherwise, axe also describes each element that violates nothing.
      resultTypes: ['violations'],
      ...(rules.length > 0 ? { runOnly: [...rules] } : {}),
    })
    // Without frames, axe needs no second page.
    .setLegacyMode();
  const { violations } = await axe.analyze();
  return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0]?.html }));
}

/** Returns the serious violations in light and in dark mode, in which only colors differ. */
export async function seriousViolations(page: Page) {
  const light = await axeViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...(await axeViolations(page, ['color-contrast']))].filter(
    ({ impact }) => impact === 'serious' || impact === 'critical',
  );
}

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
