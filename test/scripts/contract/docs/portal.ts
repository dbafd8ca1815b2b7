import { join } from 'node:path';
import express from 'express';
import { onTestFinished } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import type { ContractConfig } from '../../../../scripts/contract/config.ts';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { mockUrl } from '../../../../scripts/lib/ports.ts';
import { startListening } from '../../../support/start-listening.ts';
import { afterAllTests, temporaryFolder } from '../../../support/temporary-folder.ts';
import { startBrowser, watchedPage } from './browser.ts';

/** Builds the portal for the tests of a file, and serves it under a path that differs from the folder on disk. */
export async function startPortal(options: Parameters<typeof buildPortal>[0] = {}) {
  const browser = await startBrowser();
  afterAllTests(() => browser.close());
  const mock = await startListening(
    (await createMockServer({ config: contractConfig })).server,
    afterAllTests,
  );
  const folder = await buildPortal({ mock, base: '/a%20folder/of/pages/', ...options });
  const app = express().use('/a%20folder/of/pages', express.static(folder));
  const base = `${await startListening(app, afterAllTests)}/a%20folder/of/pages/`;

  // The tests of a file share one page, because a new page compiles all scripts again, which takes 2 s of CPU time.
  const context = await browser.newContext();
  let allowed: string[] = [];
  const isAllowed = ({ host }: URL) => allowed.includes(host);
  const shared = await watchedPage(context, isAllowed);

  /** Opens a page of the portal, without what an earlier test has left. */
  async function open(path: string, width = 1280, height = 900, at = base) {
    allowed = [at, mock].map((address) => new URL(address).host);
    // In the shared page, a response of another server did not appear in one of three runs.
    const opened = at === base ? shared : await openAlone();
    await opened.page.setViewportSize({ width, height });
    await opened.page.goto(new URL(path, at).href);
    if (opened === shared) onTestFinished(reset);
    return opened;
  }

  async function openAlone() {
    const own = await browser.newContext();
    onTestFinished(() => own.close());
    return watchedPage(own, isAllowed);
  }

  async function reset(): Promise<void> {
    const { page, errors, forbiddenRequests } = shared;
    await page.evaluate(() => localStorage.clear());
    await page.unrouteAll();
    await context.clearPermissions();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.mouse.move(0, 0);
    await page.goto('about:blank');
    errors.length = 0;
    forbiddenRequests.length = 0;
  }
  return { open, base, folder, mock };
}

/** As in Parley, but without the package of the client, which takes half of the time. */
const { pack: _, ...client } = contractConfig.portal.client ?? { variable: 'parley' };
const config = { ...contractConfig, portal: { ...contractConfig.portal, client } };

/**
 * Builds the portal of Parley for the tests of a file.
 * @param options URL of the mock, the base path, and settings
 * @returns the folder
 */
export async function buildPortal(
  options: { mock?: string; base?: string; config?: ContractConfig } = {},
): Promise<string> {
  const out = join(await temporaryFolder(afterAllTests), 'docs');
  await buildSite({ api: contractConfig.api, out, mock: mockUrl, config, ...options });
  return out;
}
