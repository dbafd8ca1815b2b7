import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { referenceEntries } from '../../../../scripts/contract/docs/reference/entries.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { sampledGuides } from '../../../../scripts/guide-samples/guide-samples.ts';
import { isLong } from '../../../support/sampling.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { startPortal } from './portal-in-browser.ts';

const phone = { width: 360, height: 740 };

const { open, base } = await startPortal();

const own = ['index.html', '404.html', 'changelog.html', 'decisions.html', 'reference.html'];
const contract = await loadContract(contractConfig.api);
const entries = referenceEntries(contract);
const guides = sampledGuides().map(({ name }) => `guides/${name}.html`);
const operations = entries.map(({ href }) => href);

test('no page has errors, content or tables wider than a phone, narrow columns, or requests to other hosts', async () => {
  const { page, errors, forbiddenRequests } = await open('index.html', { viewport: phone });
  for (const path of [...own, ...guides, ...operations]) {
    expect((await page.goto(base + path))?.status(), path).toBe(200);
    const wide = await page.evaluate(() =>
      Array.from(globalThis.document.querySelectorAll('html, .table'))
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ ariaLabel, tagName }) => ariaLabel ?? tagName),
    );
    expect(wide, path).toEqual([]);
    const narrow = await page.evaluate(() =>
      Array.from(globalThis.document.querySelectorAll('td'))
        .filter(({ clientWidth, textContent }) => textContent !== '' && clientWidth < 250)
        .map(({ textContent }) => textContent),
    );
    expect(narrow, path).toEqual([]);
    // Links inside sentences may be smaller, and those to sections appear with a pointer.
    const small = await page.evaluate(() =>
      Array.from(
        globalThis.document.querySelectorAll('a:not(.anchor, .skip), button, summary, input, select'),
      )
        .filter((each) => each.checkVisibility() && getComputedStyle(each).display !== 'inline')
        .filter((each) => Math.min(each.clientWidth, each.clientHeight) < 38)
        .map(({ outerHTML }) => outerHTML),
    );
    expect(small, path).toEqual([]);
  }
  expect([errors, forbiddenRequests]).toEqual([[], []]);
});

test('search opens an operation from a guide, and an event from the reference', async () => {
  const { page, errors } = await open('guides/errors.html');
  await page.keyboard.press('/');
  await page.getByLabel('Search guides and reference').fill('create mess');
  // The keyboard alone selects and opens a result.
  await page.getByRole('dialog').getByRole('link', { name: 'Create a message' }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  const second = page.getByRole('dialog').getByRole('link').nth(1);
  expect(await second.evaluate((link) => link.matches(':focus'))).toBe(true);
  await page.keyboard.type('age');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Create a message', level: 1 }).waitFor();
  await page.waitForLoadState();

  // Enter waits until the entries are loaded.
  const held = Promise.withResolvers<void>();
  await page.route('**/search-entries.js', (route) => held.promise.then(() => route.continue()));
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search guides and reference').fill('contact.deleted');
  await page.keyboard.press('Enter');
  held.resolve();
  await page.getByRole('heading', { name: 'contact.deleted', level: 1 }).waitFor();
  await page.waitForLoadState();
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search guides and reference').fill('xyzzy');
  await expect.poll(() => page.getByRole('status').first().textContent()).toMatch(/^No results for “xyzzy”/);
  expect(errors).toEqual([]);
});

const pages = [...own, ...guides, ...operations];

/** The pages that axe checks. All but the home page have the same layout, so two suffice; `npm run test:long` checks every page. */
const checkedPages = isLong ? pages : ['index.html', 'reference/createContact.html'];

test.each(checkedPages)('axe reports no serious violation in %s, in light and dark mode', async (path) => {
  const { page } = await open(path, { colorScheme: 'light' });
  const seriousIn = async (axe: AxeBuilder) => {
    const { violations } = await axe.analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    return serious.map(({ id, nodes }) => [id, nodes[0]?.html]);
  };
  expect(await seriousIn(new AxeBuilder({ page }))).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Other rules give the same result in dark mode.
  expect(await seriousIn(new AxeBuilder({ page }).withRules(['color-contrast']))).toEqual([]);
});

test('on a phone, the menu closes with Escape and leads to another page', async () => {
  const { page, errors } = await open('guides/errors.html', { viewport: phone });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Menu' }).getAttribute('aria-expanded')).toBe('false');
  await page.goto(`${base}reference/getContact.html`);
  await page.getByRole('button', { name: 'Menu' }).click();
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  // The section of the page is the first one, and open, below a row with the parts of the portal.
  expect(await navigation.locator('summary').allTextContents()).toEqual(['Reference', 'Guides', 'Contract']);
  expect(await navigation.locator('details').first().getAttribute('open')).not.toBeNull();
  const parts = page.getByRole('navigation', { name: 'Parts' }).getByRole('link');
  expect(await parts.allTextContents()).toEqual(['Guides', 'Reference', 'Changelog']);
  const tops = await parts.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
  expect([new Set(tops).size, (tops[0] ?? 0) > 50]).toEqual([1, true]);
  await expect(parts.last().click({ trial: true })).resolves.toBeUndefined();
  await navigation.getByText('Guides', { exact: true }).click();
  await navigation.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  expect(errors).toEqual([]);
});

/** The layout changes at 1100 and 1200 pixels. */
const widths = isLong ? [390, 768, 1180, 1440] : [390, 1180, 1440];

test.each(widths)(
  'every page and every operation can be reached by the navigation at %d pixels',
  async (width) => {
    const { page, errors } = await open('reference.html', { viewport: { width, height: 700 } });
    const button = page.getByRole('button', { name: 'Menu' });
    if (await button.isVisible()) await button.click();
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    await navigation.getByText('Guides', { exact: true }).last().click();
    const links = navigation.getByRole('link');
    const reached = await links.evaluateAll((elements) =>
      elements
        .filter((link) => link.checkVisibility())
        .map((link) => {
          link.scrollIntoView({ block: 'nearest' });
          return { href: link.getAttribute('href') ?? '', bottom: link.getBoundingClientRect().bottom };
        }),
    );
    expect(reached.filter(({ bottom }) => Math.floor(bottom) > 700)).toEqual([]);
    const targets = new Set(reached.map(({ href }) => href));
    expect([...guides, ...operations].filter((href) => !targets.has(href))).toEqual([]);
    await links.filter({ hasText: 'Create a webhook' }).click();
    await page.getByRole('heading', { name: 'Create a webhook', level: 1 }).waitFor();
    expect(errors).toEqual([]);
  },
);

test.each(widths)(
  'a link to a section shows its heading, and the navigation the page, at %d pixels',
  async (width) => {
    const { page } = await open('guides/webhooks.html#event-types', { viewport: { width, height: 700 } });
    const heading = page.getByRole('heading', { name: 'Event types' });
    const isInView = (y: number | undefined) => y !== undefined && y > 50 && y < 700;
    await expect.poll(async () => isInView((await heading.boundingBox())?.y)).toBe(true);
    await page.goto(`${base}reference/message.deleted.html`);
    const button = page.getByRole('button', { name: 'Menu' });
    if (await button.isVisible()) await button.click();
    const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current="page"]');
    await expect.poll(async () => isInView((await current.boundingBox())?.y)).toBe(true);
  },
);

test.each(widths)(
  'the sections of a page can be chosen beside it or above it, at %d pixels',
  async (width) => {
    const { page } = await open('guides/webhooks.html', { viewport: { width, height: 900 } });
    const contents = page.getByRole('navigation', { name: 'On this page' });
    expect(await contents.isVisible()).toBe(width > 1200);
    if (width < 1200) await page.getByText('On this page', { exact: true }).click();
    await contents.getByRole('link', { name: 'Ordering' }).click();
    const heading = page.getByRole('heading', { name: 'Ordering' });
    await expect.poll(async () => Math.abs(((await heading.boundingBox())?.y ?? 999) - 72) < 60).toBe(true);
    const { x = 0, width: wide = 0 } = (await page.getByRole('main').boundingBox()) ?? {};
    expect([x < width / 2, wide > width / 2]).toEqual([true, true]);
  },
);

test('the home page shows its lead, request, diagram and links in the first window at 1440 pixels', async () => {
  const { page } = await open('index.html', { viewport: { width: 1440, height: 900 } });
  await page.evaluate(() => document.fonts.ready);
  const { y = 0, height = 999 } = (await page.locator('.doors section').last().boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(900);
  expect(await page.evaluate(() => document.fonts.check('1rem Inter'))).toBe(true);
});

test.each(widths)(
  'the samples of an operation are beside its text, or between its parameters and its body, at %d pixels',
  async (width) => {
    const { page, errors } = await open('reference/updateContact.html', { viewport: { width, height: 900 } });
    const samples = page.getByRole('complementary', { name: 'Samples' });
    const topOf = async (name: string) => (await page.getByText(name).first().boundingBox())?.y ?? 0;
    const [parameters, send, body] = [
      await topOf('Path parameters'),
      await topOf('Send request'),
      await topOf('Request body'),
    ];
    expect([parameters < send, send < body]).toEqual([width < 1100, true]);
    // Beside the text, they stay in view.
    await page.getByRole('heading', { name: 'Other responses' }).scrollIntoViewIfNeeded();
    if (width > 1100) {
      const { y = 0 } = (await samples.boundingBox()) ?? {};
      expect([y > 50, y < 100]).toEqual([true, true]);
    }
    const beyond = await page.evaluate(() => globalThis.document.documentElement.scrollWidth - innerWidth);
    // On the home page, the request is beside the title, or below it.
    await page.goto(base);
    const { y = 999 } = (await page.getByRole('button', { name: 'Send request' }).boundingBox()) ?? {};
    expect([beyond <= 0, y < (width > 1100 ? 100 : 400), errors]).toEqual([true, true, []]);
  },
);

test.each(widths)(
  'a link to a property appears with the pointer or the focus, at %d pixels',
  async (width) => {
    const { page } = await open('reference/createContact.html', { viewport: { width, height: 900 } });
    const property = page.locator('#property-last_name');
    const link = property.getByRole('link', { name: 'Link to last_name' });
    // The link takes no line of its own.
    expect(await link.evaluate((element) => getComputedStyle(element).position)).toBe('absolute');
    const opacity = () => link.evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity()).toBe('0');
    await property.hover();
    expect(await opacity()).toBe('1');
    await page.mouse.move(0, 0);
    expect(await opacity()).toBe('0');
    await link.focus();
    expect(await opacity()).toBe('1');
    await page.keyboard.press('Enter');
    await page.locator('#property-last_name:target').waitFor();
  },
);

test("every page keeps the reader's choice of light or dark mode", async () => {
  const { page } = await open('index.html', { colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(globalThis.document.body).backgroundColor);
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(background).toBe(light);
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.goto(`${base}guides/errors.html`);
  expect(await background()).toBe(dark);
});

test('the home page shows the command that installs the client from this portal', async () => {
  const { page } = await open('index.html');
  const command = (await page.locator('[data-install] code').textContent()) ?? '';
  const [, url = ''] = /^npm install (http.*\/client\/parley-client-[\d.]+\.tgz)$/.exec(command) ?? [];
  const tarball = join(await temporaryFolder(), 'client.tgz');
  await writeFile(tarball, Buffer.from(await (await fetch(url)).arrayBuffer()));
  const { stdout } = await promisify(execFile)('tar', ['-xzOf', tarball, 'package/package.json']);
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'parley-client',
    version: contract.document.info?.version,
  });
});

test('on a phone, a long example is cut, and a button shows all of it', async () => {
  const { page } = await open('reference/listContacts.html', { viewport: { width: 390, height: 844 } });
  const parameters = page.getByRole('heading', { name: 'Query parameters' });
  expect((await parameters.boundingBox())?.y).toBeLessThan(2 * 844);
  const example = page.locator('figure.answer:visible');
  const lines = ((await example.locator('code').textContent()) ?? '').split('\n').length;
  const isAllShown = () =>
    example
      .locator('pre', { has: page.locator('code') })
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight);
  expect(await isAllShown()).toBe(false);
  await example.getByRole('button', { name: `Show all ${lines} lines` }).click();
  expect(await isAllShown()).toBe(true);
});
