import { afterAll, expect, test } from 'vitest';
import { createMock, mockToken } from '../../../../generated/mock.js';
import { startBrowser } from '../docs/browser.ts';

const browser = await startBrowser();
afterAll(() => browser.close());

// As in the guide "Testing with the mock".
test('the mock responds to the requests of a page in Playwright', async () => {
  const mock = createMock();
  const page = await browser.newPage();
  await page.route('http://app.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>App</title>' }),
  );
  await page.route('**/api/v1/**', async (route) => {
    const request = route.request();
    const response = await mock.fetch(request.url(), {
      method: request.method(),
      headers: await request.allHeaders(),
      body: request.postData(),
    });
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      headers[name] = value;
    });
    await route.fulfill({
      status: response.status,
      headers,
      body: await response.text(),
    });
  });
  await page.goto('http://app.test/');
  const seen = await page.evaluate(async (token) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const contact = await (await fetch('/api/v1/contacts/4021', { headers })).json();
    const body = JSON.stringify({ conversation_id: 880, type: 'text', payload: 'Hello' });
    const sent = await fetch('/api/v1/messages', { method: 'POST', headers, body });
    const rejected = await fetch('/api/v1/contacts?page=x', { headers });
    return [contact.first_name, sent.status, rejected.status];
  }, mockToken);
  expect(seen).toEqual(['Ada', 201, 422]);
  expect(mock.requests.map(({ operation }) => operation)).toEqual([
    'getContact',
    'createMessage',
    'listContacts',
  ]);
  mock.verify();
});
