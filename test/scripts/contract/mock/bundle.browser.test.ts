import { afterAll, expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { bundleEntry } from '../../../../scripts/contract/client/bundle-size.ts';
import { startBrowser } from '../docs/browser.ts';
import { openPage } from '../docs/open-page.ts';
import { type FetchCase, type Outcome, outcomeOf } from './fetch-cases.ts';
import { startMockServer } from './mock-server.ts';

declare const run: (cases: FetchCase[]) => Promise<Outcome[]>;

const { base, cases } = await startMockServer(contractConfig);
const browser = await startBrowser();
afterAll(() => browser.close());

const files: Record<string, { type: string; text: string }> = {
  '/': {
    type: 'text/html',
    text: '<!doctype html><title>Mock</title><script type="module" src="/page.js"></script>',
  },
  '/mock.js': { type: 'text/javascript', text: (await bundleEntry('generated/mock.js')).code },
  '/page.js': {
    type: 'text/javascript',
    text: `import { createMock } from './mock.js';
const outcomeOf = ${outcomeOf};
const mock = createMock();
globalThis.run = async (cases) => {
  const outcomes = [];
  for (const each of cases) outcomes.push(await outcomeOf(each, location.origin, mock.fetch));
  mock.verify();
  return outcomes;
};`,
  },
};

test("in Chromium, under script-src 'self' and without a network, the responses are those of the mock server", async () => {
  const { page, errors } = await openPage(await browser.newContext(), files);
  await page.waitForFunction(() => 'run' in globalThis);
  const here = await page.evaluate((given) => run(given), cases);
  const differences = [];
  for (const [index, each] of cases.entries()) {
    const there = await outcomeOf(each, base, fetch);
    if (JSON.stringify(there) !== JSON.stringify(here[index]))
      differences.push({ ...each, there, here: here[index] });
  }
  expect(differences.slice(0, 5)).toEqual([]);
  expect(here.length).toBeGreaterThan(900);
  expect(errors.filter((text) => !text.includes('favicon'))).toEqual([]);
});
