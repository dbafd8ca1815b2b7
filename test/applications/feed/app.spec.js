const assert = require('node:assert');
const request = require('supertest');
const { app } = require('./app.js');

const key = { api_key: 'key-of-ann' };

describe('feed', () => {
  it('requires a key in the query', async () => {
    await request(app).get('/api/messages').expect(401);
    await request(app).get('/api/messages').query({ api_key: 'guessed' }).expect(401);
    await request(app).get('/api/messages').query(key).expect(200);
  });

  it('limits and filters messages', async () => {
    const limited = await request(app).get('/api/messages?limit=1').query(key).expect(200);
    assert.equal(limited.body.length, 1);
    const { body } = await request(app).get('/api/messages?tags=food,today').query(key).expect(200);
    assert.deepEqual(body, [{ id: 2, text: 'Lunch?', tags: ['food', 'today'] }]);
  });

  it('refuses a limit that is too large, and names it', async () => {
    const { body } = await request(app).get('/api/messages?limit=51').query(key).expect(400);
    assert.equal(body.errors[0].path, '/query/limit');
  });

  it('posts a message', async () => {
    const { body } = await request(app).post('/api/messages').query(key).send({ text: 'Hi' }).expect(201);
    assert.deepEqual(body.tags, []);
    await request(app).get(`/api/messages/${body.id}`).query(key).expect(200, body);
  });

  it('refuses an empty message, and names the property', async () => {
    const { body } = await request(app).post('/api/messages').query(key).send({ text: '' }).expect(400);
    assert.equal(body.errors[0].path, '/body/text');
  });

  it('has errors of its own', () =>
    request(app).get('/api/messages/99').query(key).expect(404, { message: 'There is no such message.' }));

  it('streams messages as they are posted', (done) => {
    const server = app.listen(0, '127.0.0.1', async () => {
      const base = `http://127.0.0.1:${server.address().port}/api`;
      const response = await fetch(`${base}/stream?since=1&api_key=key-of-bob`);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const first = await reader.read();
      await request(app).post('/api/messages').query(key).send({ text: 'News' });
      const second = await reader.read();
      await reader.cancel();
      server.close();
      assert.match(response.headers.get('content-type'), /^text\/event-stream/);
      assert.match(first.value, /Lunch/);
      assert.match(second.value, /Hi|News/);
      done();
    });
  });
});
