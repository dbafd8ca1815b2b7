import { afterAll, expect, test } from 'vitest';
import { openPage, startBrowser } from '../docs/browser.ts';
import { emittedSource, inMemory, schemaOf, supported } from './json-schema-suite.ts';

declare const decide: (schema: string, value: unknown) => boolean;

const browser = await startBrowser();
afterAll(() => browser.close());

const files: Record<string, { type: string; text: string }> = {
  '/': {
    type: 'text/html',
    text: '<!doctype html><title>Suite</title><script type="module" src="/page.js"></script>',
  },
  '/contract.js': { type: 'text/javascript', text: await emittedSource() },
  '/page.js': {
    type: 'text/javascript',
    text: `import { contract } from './contract.js';
globalThis.decide = (schema, value) => contract.deciderOf(schema)(value);`,
  },
};

test("in Chromium, under script-src 'self', the generated text decides as in Node", async () => {
  const { page, errors } = await openPage(await browser.newContext(), files);
  await page.waitForFunction(() => 'decide' in globalThis);
  const asked = supported.flatMap(({ name, tests }) =>
    tests.map(({ data }) => ({ schema: schemaOf(name), data: JSON.stringify(data) })),
  );
  const here = asked.map(({ schema, data }) => inMemory.deciderOf(schema)(JSON.parse(data)));
  const there = await page.evaluate(
    (given) => given.map(({ schema, data }) => decide(schema, JSON.parse(data))),
    asked,
  );
  expect(there).toEqual(here);
  expect(there.length).toBeGreaterThan(900);
  expect(errors.filter((text) => !text.includes('favicon'))).toEqual([]);
});
