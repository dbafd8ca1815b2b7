import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isLong } from '../../../support/sampling.ts';
import { startService } from '../../../support/service.ts';
import { seriousViolations } from './browser.ts';
import { startPortal } from './portal.ts';

const { open, base, folder, mock } = await startPortal();

test.each(['', 'from disk'])(
  'a sample runs in the page %s, the language is kept on other pages, and the search works',
  async (place) => {
    const at = place === '' ? base : `${pathToFileURL(resolve(folder))}/`;
    const { page, errors, forbiddenRequests } = await open('reference/getMessage.html', 1280, 900, at);
    await page.evaluate(playScenario, 'new-properties');
    const samples = page.getByRole('complementary', { name: 'Samples' });
    await samples.getByRole('button', { name: 'Send request' }).click();
    // Only responses of the scenario have this.
    await samples.getByText('added later').waitFor();
    await samples.getByRole('button', { name: 'Python' }).click();
    const shown = () => samples.locator('.choice figure.code:not(.answer):visible').allTextContents();
    expect(await shown()).toEqual([expect.stringContaining('import requests')]);
    await page.goto(new URL('guides/webhooks.html', at).href);
    expect(await page.locator('.choice figure:visible').allTextContents()).toEqual([
      expect.stringContaining('requests.post('),
      expect.stringContaining('def verified_event'),
    ]);
    await page.goto(new URL('reference/createContact.html', at).href);
    expect(await shown()).toEqual([expect.stringContaining('requests.post')]);
    await samples.getByRole('button', { name: 'Send request' }).click();
    await samples.locator('.output').getByText('location: /api/v1/contacts/').waitFor();
    await samples.locator('figure[data-language^="201 in "]').waitFor();
    // The response takes the place of the example.
    expect(await samples.getByLabel('Response').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByLabel('Search guides and reference').fill('list contacts');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'List contacts' }).waitFor();
    await page.waitForLoadState();
    await page.keyboard.press('/');
    await page.getByLabel('Search guides and reference').fill('telephone_number');
    await page.keyboard.press('Enter');
    await page.locator('li:target', { hasText: 'telephone_number' }).waitFor();
    expect([errors, forbiddenRequests]).toEqual([[], []]);
  },
);

/** Runs in the page before it loads the mock, which then plays a scenario. */
function playScenario(scenario: string): void {
  let module: { createMock: (options: object) => unknown } | undefined;
  Object.defineProperty(window, 'parleyPageMock', {
    get: () => module && { ...module, createMock: () => module?.createMock({ scenario }) },
    set: (value) => {
      module = value;
    },
  });
}

/** Opens the form that sends a request, with the field that has this name. */
async function editRequest(page: Page) {
  await page.getByText('Edit the request', { exact: true }).click();
  return (name: string) => page.locator(`#request [name="${name}"]`);
}

test('a body that is no JSON is marked with the place of the error, and not sent', async () => {
  const { page, errors } = await open('reference/createContact.html');
  const field = await editRequest(page);
  const sample = page.locator('#request + .choice [data-language="TypeScript"] code');
  await field('body').fill('{"first_name": "Zoë"}');
  await expect.poll(() => sample.textContent()).toContain('Zoë');
  await field('body').fill('{\n  "first_name": }');
  await page.getByText(/^The body is not JSON\. Unexpected token '}', .*"first_name": }/s).waitFor();
  expect(await field('body').getAttribute('aria-invalid')).toBe('true');
  // The rest of the sample in TypeScript stays current.
  await field('server').selectOption('other');
  await field('other').fill('https://parley.example');
  await expect
    .poll(() => sample.textContent())
    .toMatch(/'https:\/\/parley\.example',\s+token: 'YOUR_TOKEN'.*Zoë/s);
  expect(await field('header.Authorization').inputValue()).toBe('Bearer YOUR_TOKEN');
  await field('server').selectOption('');
  expect(await field('header.Authorization').inputValue()).toBe('Bearer ply_mock_everything');
  await page.getByRole('button', { name: 'Send request' }).click();
  expect(await page.locator('#request .output').textContent()).toBe('');
  await field('body').fill('{}');
  await expect.poll(() => field('body').getAttribute('aria-invalid')).toBe('false');
  expect(errors).toEqual([]);
});

test('an edited request is sent to the mock inside the page, or to a server that the reader names', async () => {
  const { page, errors, forbiddenRequests } = await open('reference/createContact.html');
  const field = await editRequest(page);
  await field('body').fill('{"first_name": 7}');
  // From the keyboard, too.
  await field('header.Idempotency-Key').press('Enter');
  await page.getByText('/first_name').last().waitFor();
  const sample = page.locator('#request + .choice [data-language="TypeScript"] code');
  expect(await sample.textContent()).toContain("'Idempotency-Key': crypto.randomUUID()");
  await field('server').selectOption(mock);
  const send = async () => {
    const response = page.waitForResponse(`${mock}/api/v1/contacts`);
    await page.getByRole('button', { name: 'Send request' }).click();
    const sent = (await response).request();
    return [sent.postData(), sent.headers()['idempotency-key']];
  };
  // Each request gets a key of its own, unless the reader writes one.
  const [first, second] = [await send(), await send()];
  expect(first[1]).toMatch(/^(\d+-){3}\d+$/);
  expect(second[1]).not.toBe(first[1]);
  await field('header.Idempotency-Key').fill('mine');
  await expect.poll(() => sample.textContent()).toContain("'Idempotency-Key': 'mine'");
  expect(await send()).toEqual(['{"first_name": 7}', 'mine']);
  await field('server').selectOption('other');
  await field('other').fill('http://127.0.0.1:1');
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.getByText('There is no response: Failed to fetch. Check that the server runs').waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  expect(await field('body').inputValue()).toContain('Mina');
  const kept = await page.evaluate(async () => [
    Object.keys(localStorage),
    Object.keys(sessionStorage),
    await indexedDB.databases(),
  ]);
  expect(kept).toEqual([[], [], []]);
  expect(errors.filter((error) => !/ERR_UNSAFE_PORT|status of 422/.test(error))).toEqual([]);
  expect(forbiddenRequests).toEqual(['http://127.0.0.1:1/api/v1/contacts']);
});

test('a portal that the service serves sends requests to the service, without violating the CSP', async () => {
  const service = await startService({ portal: folder });
  const { token } = await service.company.token();
  await service.company.contact({ first_name: 'Grace' });
  const at = `${service.base}/docs/`;
  const { page, errors, forbiddenRequests } = await open('reference/listContacts.html', 1280, 900, at);
  const field = await editRequest(page);
  await field('server').selectOption(service.base);
  await field('header.Authorization').fill(`Bearer ${token}`);
  await field('query.per_page').fill('1');
  const response = page.waitForResponse(`${service.base}/api/v1/contacts?per_page=1`);
  await page.getByRole('button', { name: 'Send request' }).click();
  await response;
  await page.getByText('Grace').waitFor();
  expect([errors, forbiddenRequests]).toEqual([[], []]);
});

test('the samples in all languages show the request that the form holds, and those of the page after a reset', async () => {
  const { page, errors } = await open('reference/listContacts.html');
  const samples = page.getByRole('complementary', { name: 'Samples' });
  const codes = () => samples.locator('#request + .choice code').allTextContents();
  const before = await codes();
  const field = await editRequest(page);
  // A value of a list is chosen, and a boolean too.
  await field('query.order').selectOption('desc');
  await field('query.include_anonymous').selectOption('true');
  await field('query.per_page').fill('5');
  await field('header.Authorization').fill("Bearer it's mine");
  await field('server').selectOption('other');
  await field('other').fill('https://parley.example/');
  const query = 'include_anonymous=true&per_page=5&order=desc';
  await expect
    .poll(codes)
    .toEqual([
      expect.stringMatching(
        /'https:\/\/parley\.example',\s+token: 'it\\'s mine'.*include_anonymous: true,\s+per_page: 5,\s+order: 'desc',/s,
      ),
      ...Array.from({ length: 4 }, () =>
        expect.stringContaining(`https://parley.example/api/v1/contacts?${query}`),
      ),
    ]);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(codes).toEqual(before);

  await page.goto(`${base}reference/updateContact.html`);
  const ofUpdate = await editRequest(page);
  await ofUpdate('body').fill('{"first_name": "Zoë", "fields": []}');
  await ofUpdate('path.id').fill('4022');
  await expect
    .poll(codes)
    .toEqual([
      expect.stringMatching(/path: \{ id: 4022 \}[\s\S]*body: \{ first_name: 'Zoë', fields: \[\] \}/),
      ...Array.from({ length: 4 }, () => expect.stringMatching(/contacts\/4022[\s\S]*Zoë/)),
    ]);
  expect(errors).toEqual([]);
});

const windows = (isLong ? [390, 768, 1180, 1440] : [390, 1180]).flatMap((width) => [
  { width, form: 'closed' },
  { width, form: 'open' },
]);

test.each(windows)(
  'the status, the reason and the body of an error response are in view at $width pixels, with the form $form',
  async ({ width, form }) => {
    const { page } = await open('reference/listContacts.html', width, 800);
    const field = await editRequest(page);
    await field('query.per_page').fill('500');
    if (form === 'closed') await page.getByText('Edit the request', { exact: true }).click();
    await page.getByRole('button', { name: 'Send request' }).click();
    const output = page.locator('#request .output');
    await expect
      .poll(() => output.locator('.reason').textContent())
      .toBe('query/per_page must be at most 100.');
    const isInView = async () => {
      const { y = 0, height = 0 } = (await output.boundingBox()) ?? {};
      return [y >= 56, Math.floor(y + height) <= 800];
    };
    await expect.poll(isInView).toEqual([true, true]);
    expect(await output.locator('figure').first().getAttribute('data-language')).toMatch(/^422 in \d+ ms, /);
  },
);

test('the example of the chosen status is shown, the button of a response copies its body, and axe reports no serious violation in the form', async () => {
  const { page } = await open('reference/createContact.html');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel('Response').getByRole('button', { name: '409' }).click();
  const shown = page.locator('figure.answer:visible');
  expect(await shown.evaluateAll((all) => all.map((each) => each.getAttribute('data-language')))).toEqual([
    '409',
  ]);
  await editRequest(page);
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.locator('.output').getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toHaveProperty('id');
  expect(await seriousViolations(page)).toEqual([]);
});
