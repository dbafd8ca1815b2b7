import assert from 'node:assert';
import { after, before, test } from 'node:test';
import { app } from './app.js';

let server;
before(
  () =>
    new Promise((done) => {
      server = app.listen(0, '127.0.0.1', done);
    }),
);
after(() => server.close());

async function send(method, path, { body, authorization = 'Bearer token-of-ann' } = {}) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return [response.status, text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text];
}

const statusOf = async (...given) => (await send(...given))[0];

test('lists books of a year', async () => {
  assert.deepEqual(await send('GET', '/books?year=1815'), [200, [{ id: 1, title: 'Emma', year: 1815 }]]);
  assert.equal((await send('GET', '/books'))[1].length >= 2, true);
});

test('gets a book without a token', async () => {
  const [status, body] = await send('GET', '/books/2', { authorization: '' });
  assert.deepEqual([status, body], [200, { id: 2, title: 'Middlemarch', year: 1871 }]);
});

test('adds and deletes a book', async () => {
  const [status, book] = await send('POST', '/books', { body: { title: 'Beloved', year: 1987 } });
  assert.equal(status, 201);
  assert.deepEqual(await send('GET', `/books/${book.id}`), [200, book]);
  assert.equal(await statusOf('DELETE', `/books/${book.id}`), 204);
  assert.equal(await statusOf('GET', `/books/${book.id}`), 404);
});

test('says what is wrong', async () => {
  for (const [method, path, body] of [
    ['GET', '/books?year=800'],
    ['GET', '/books/first'],
    ['POST', '/books', { title: '', year: 1900 }],
    ['POST', '/books', { title: 'Ulysses', year: 1922, pages: 730 }],
  ]) {
    const [status, { message }] = await send(method, path, { body });
    assert.deepEqual([path, status, typeof message], [path, 400, 'string']);
  }
});

test('rejects other clients', async () => {
  assert.equal(await statusOf('GET', '/books', { authorization: '' }), 401);
  assert.equal(await statusOf('DELETE', '/books/1', { authorization: 'Bearer guessed' }), 401);
});

test('knows its paths and methods', async () => {
  assert.equal(await statusOf('GET', '/authors'), 404);
  assert.equal(await statusOf('PATCH', '/books/1'), 405);
  assert.deepEqual(await send('GET', '/health'), [200, 'ok']);
});
