const request = require('supertest');
const { app } = require('./app.js');

const photo = Buffer.alloc(1_000, 'p');
const large = Buffer.alloc(3_000_000, 'x');
const send = (method, path) => request(app)[method](path).set('X-Token', 'token-of-ann');

test('requires a token', async () => {
  await request(app).get('/documents/1').expect(401);
  await request(app).get('/documents/1').set('X-Token', 'guessed').expect(401);
});

test('creates and gets a document', async () => {
  const { body } = await send('post', '/documents').send({ kind: 'letter', title: 'Dear' }).expect(201);
  await send('get', `/documents/${body.id}`).expect(200, body);
  await send('get', '/documents/99').expect(404, { error: 'There is no such document.' });
});

test('refuses what the contract does not allow', async () => {
  await send('post', '/documents').send({ kind: 'poem', title: 'Ode' }).expect(400);
  await send('get', '/documents/first').expect(400);
});

test('refuses what joi does not allow', async () => {
  const { body } = await send('post', '/documents').send({ kind: 'invoice', total: -1 }).expect(422);
  expect(body.error).toMatch('"total" must be a positive number');
});

test('takes photos that multer has read', async () => {
  const { body } = await send('post', '/photos')
    .field('album', 'Summer')
    .attach('photos', photo, 'one.jpg')
    .attach('photos', photo, 'two.jpg')
    .expect(201);
  expect(body).toEqual({ files: 2, bytes: 2_000, album: 'Summer' });
});

test('validates the fields beside photos', async () => {
  await send('post', '/photos').field('album', 'S').attach('photos', photo, 'one.jpg').expect(400);
  await send('post', '/photos').attach('photos', photo, 'one.jpg').expect(400);
});

test('streams several large files of a form to a folder', async () => {
  const { body } = await send('post', '/imports')
    .field('note', 'both')
    .attach('files', large, 'one.bin')
    .attach('files', large, 'two.bin')
    .expect(201);
  expect(body).toEqual({ files: 2, bytes: 6_000_000, note: 'both' });
});

test('lets multer refuse files', async () => {
  await send('post', '/imports').attach('other', photo, 'one.bin').expect(400);
});

test('streams a large body', async () => {
  const { body } = await send('put', '/archive/year')
    .type('application/octet-stream')
    .send(large)
    .expect(201);
  expect(body).toEqual({ files: 1, bytes: 3_000_000 });
  await send('put', '/archive/2024').type('application/octet-stream').send(photo).expect(400);
});
