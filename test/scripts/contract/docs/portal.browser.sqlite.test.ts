import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { referenceEntries } from '../../../../scripts/contract/docs/reference/entries.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { sampledGuides } from '../../../../scripts/guide-samples/guide-samples.ts';
import { isLong } from '../../../support/sampling.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { seriousViolations } from './browser.ts';
import { startPortal } from './portal.ts';

const { open, base } = await startPortal({ config: contractConfig });

const own = ['index.html', '404.html', 'changelog.html', 'decisions.html', 'reference.html'];
const contract = await loadContract(contractConfig.api);
const entries = referenceEntries(contract);
const guides = sampledGuides().map(({ name }) => `guides/${name}.html`);
const operations = entries.map(({ href }) => href);
const pages = [...own, ...guides, ...operations];

/** Returns what is too wide, too narrow or too small on the page. */
const misfits = () =>
  [
    ...Array.from(globalThis.document.querySelectorAll('html, .table')).filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    ),
    ...Array.from(globalThis.document.querySelectorAll('td')).filter(
      ({ clientWidth, textContent }) => textContent !== '' && clientWidth < 250,
    ),
    // Links inside sentences may be smaller, and those to sections appear with a pointer.
    ...Array.from(
      globalThis.document.querySelectorAll('a:not(.anchor, .skip), button, summary, input, select'),
    )
      .filter((each) => each.checkVisibility() && getComputedStyle(each).display !== 'inline')
      .filter((each) => Math.min(each.clientWidth, each.clientHeight) < 38),
  ].map(({ outerHTML }) => outerHTML.slice(0, 200));

/** Shows another page in the place of the current one. Its scripts do not run again, which would take ten times as long. */
const swapPage = async (url: string) => {
  const response = await fetch(url);
  const { body } = new DOMParser().parseFromString(await response.text(), 'text/html');
  history.replaceState(null, '', url);
  globalThis.document.body.replaceWith(body);
  return response.status;
};

/** Pages whose scripts run: one of each layout, or all in `npm run test:long`. */
const opened = isLong ? pages : [...own, 'guides/errors.html', 'reference/createContact.html'];

test('no page has errors, content or tables wider than a phone, narrow columns, or requests to other hosts', async () => {
  const { page, errors, forbiddenRequests } = await open('index.html', 360, 740);
  for (const path of new Set([...opened, ...pages])) {
    const status = opened.includes(path)
      ? (await page.goto(base + path))?.status()
      : await page.evaluate(swapPage, base + path);
    expect([path, status, await page.evaluate(misfits)]).toEqual([path, 200, []]);
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

/** All but the home page have the same layout, and request-form.browser.sqlite.test.ts checks one of them. */
const checkedPages = isLong ? pages : ['index.html'];

test.each(checkedPages)('axe reports no serious violation in %s, in light and dark mode', async (path) => {
  const { page } = await open(path);
  expect(await seriousViolations(page)).toEqual([]);
});

test('on a phone, the menu closes with Escape and leads to another page', async () => {
  const { page, errors } = await open('guides/errors.html', 360, 740);
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

/** The layout changes at 1100 pixels. */
const widths = isLong ? [390, 768, 1180, 1440] : [390, 1180];

test.each(widths)(
  'every page and every operation can be reached by the navigation at %d pixels',
  async (width) => {
    const { page, errors } = await open('reference.html', width, 700);
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
    await links.filter({ hasText: 'message.deleted' }).click();
    await page.getByRole('heading', { name: 'message.deleted', level: 1 }).waitFor();
    await page.waitForLoadState();
    if (await button.isVisible()) await button.click();
    // The navigation shows the page, which is one of its last.
    const { y = 0 } = (await navigation.locator('[aria-current="page"]').boundingBox()) ?? {};
    expect([y > 50 && y < 700, errors]).toEqual([true, []]);
  },
);

// The table of contents stands beside the page from 1200 pixels on.
test.each(isLong ? widths : [...widths, 1440])(
  'a link to a section shows its heading, and sections can be chosen beside the page or above it, at %d pixels',
  async (width) => {
    const { page } = await open('guides/webhooks.html#event-types', width, 700);
    const topOf = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.y ?? 0;
    const isInView = (y: number) => y > 50 && y < 700;
    await expect.poll(async () => isInView(await topOf('Event types'))).toBe(true);
    const contents = page.getByRole('navigation', { name: 'On this page' });
    expect(await contents.isVisible()).toBe(width > 1200);
    if (width < 1200) await page.getByText('On this page', { exact: true }).click();
    await contents.getByRole('link', { name: 'Ordering' }).click();
    await expect.poll(async () => Math.abs((await topOf('Ordering')) - 72) < 60).toBe(true);
    const { x = 0, width: wide = 0 } = (await page.getByRole('main').boundingBox()) ?? {};
    expect([x < width / 2, wide > width / 2]).toEqual([true, true]);
  },
);

test('the home page shows its lead, request, diagram and links in the first window at 1440 pixels', async () => {
  const { page } = await open('index.html', 1440);
  await page.evaluate(() => document.fonts.ready);
  const { y = 0, height = 999 } = (await page.locator('.doors section').last().boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(900);
  expect(await page.evaluate(() => document.fonts.check('1rem Inter'))).toBe(true);
});

test.each(widths)(
  'the samples of an operation are beside its text or above its body, and links to properties appear, at %d pixels',
  async (width) => {
    const { page, errors } = await open('reference/updateContact.html', width);
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
    const property = page.locator('#property-last_name');
    const link = property.getByRole('link', { name: 'Link to last_name' });
    // The link takes no line of its own, and appears with the pointer or the focus.
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
    const beyond = await page.evaluate(() => globalThis.document.documentElement.scrollWidth - innerWidth);
    // On the home page, the request is beside the title, or below it.
    await page.goto(base);
    const { y = 999 } = (await page.getByRole('button', { name: 'Send request' }).boundingBox()) ?? {};
    expect([beyond <= 0, y < (width > 1100 ? 100 : 400), errors]).toEqual([true, true, []]);
  },
);

test("every page keeps the reader's choice of light or dark mode", async () => {
  const { page } = await open('index.html');
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
  const { page } = await open('reference/listContacts.html', 390, 844);
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
