import assert from 'node:assert';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app';

describe('orders', () => {
  let server: Server;
  let cookie = '';

  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    const [set] = (response.headers.get('set-cookie') ?? '').split(';');
    return { status: response.status, set, body: text.startsWith('{') ? JSON.parse(text) : text };
  };

  const logIn = () => send('POST', '/v1/session', { user: 'ann@example.com', password: 'open' });

  before((done) => {
    server = createApp().listen(0, '127.0.0.1', done);
  });
  beforeEach(async () => {
    cookie = '';
    cookie = (await logIn()).set;
  });
  after(() => void server.close());

  it('rejects clients without a session', async () => {
    cookie = '';
    const { status, body } = await send('GET', '/v1/orders');
    assert.equal(status, 401);
    assert.equal(typeof body.error.message, 'string');
  });

  it('forgets a session', async () => {
    assert.equal((await send('DELETE', '/v1/session')).status, 204);
    assert.equal((await send('GET', '/v1/orders')).status, 401);
  });

  it('filters orders with a deep object', async () => {
    const { status, body } = await send('GET', '/v1/orders?filter[status]=open&filter[min]=10');
    assert.equal(status, 200);
    assert.equal(body.page, 1);
    assert.deepEqual(body.orders, [{ id: 1, status: 'open', total: 20 }]);
  });

  it('lists all without a filter', async () => {
    const { body } = await send('GET', '/v1/orders?page=2');
    assert.equal(body.page, 2);
    assert.ok(body.orders.length >= 3);
  });

  it('names the field of a filter that is wrong', async () => {
    const { status, body } = await send('GET', '/v1/orders?filter[status]=lost');
    assert.equal(status, 400);
    assert.deepEqual(body.error.fields, ['status']);
  });

  it('creates and gets an order', async () => {
    const created = await send('POST', '/v1/orders', { total: 3 });
    assert.equal(created.status, 201);
    assert.deepEqual((await send('GET', `/v1/orders/${created.body.id}`)).body, created.body);
  });

  it('names the fields of a body that are wrong', async () => {
    const { status, body } = await send('POST', '/v1/orders', { total: 0 });
    assert.equal(status, 400);
    assert.deepEqual(body.error.fields, ['total']);
  });

  it('formats errors of its own', async () => {
    const { status, body } = await send('GET', '/v1/orders/99');
    assert.deepEqual([status, body], [404, { error: { message: 'no such order', fields: [] } }]);
  });

  it('serves what the contract does not document', async () => {
    assert.equal((await send('GET', '/health')).body, 'ok');
    assert.equal((await send('GET', '/v1/unknown')).status, 404);
  });
});
