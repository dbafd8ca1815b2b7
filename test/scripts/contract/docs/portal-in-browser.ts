import express from 'express';
import type { BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { startListening } from '../../../support/start-listening.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';
import { startBrowser, watchedPage } from './browser.ts';
import { buildPortal } from './build-portal.ts';

/** Builds the portal for the tests of a file, and serves it under a path that differs from the folder on disk. */
export async function startPortal() {
  const browser = await startBrowser();
  afterAllTests(() => browser.close());
  const mock = await startListening(
    (await createMockServer({ config: contractConfig })).server,
    afterAllTests,
  );
  const folder = await buildPortal({ mock, base: '/a%20folder/of/pages/' });
  const app = express().use('/a%20folder/of/pages', express.static(folder));
  const base = `${await startListening(app, afterAllTests)}/a%20folder/of/pages/`;

  /** @param scenario what the mock inside the page plays */
  async function open(path: string, options: BrowserContextOptions = {}, at = base, scenario?: string) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    onTestFinished(() => context.close());
    if (scenario) await context.addInitScript(playScenario, scenario);
    const hosts = [at, mock].map((address) => new URL(address).host);
    const watched = await watchedPage(context, ({ host }) => hosts.includes(host));
    await watched.page.goto(new URL(path, at).href);
    return watched;
  }
  return { open, base, folder, mock };
}

/** Runs in the page before its own scripts: the mock inside it plays a scenario. */
function playScenario(scenario: string): void {
  let module: { createMock: (options: object) => unknown } | undefined;
  Object.defineProperty(window, 'parleyPageMock', {
    get: () => module && { ...module, createMock: () => module?.createMock({ scenario }) },
    set: (value) => {
      module = value;
    },
  });
}
