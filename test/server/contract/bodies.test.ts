import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { readBody } from '../../../server/http/express/read-body.ts';
import {
  array,
  content,
  documentOf,
  integer,
  number,
  object,
  string,
  strings,
} from '../../support/documents.ts';
import { servePipeline } from './serve-pipeline.ts';

/** Serves one operation that takes a form with a picture, and returns its URL and the bodies that its handler got. */
async function serve(bodyLimit = 100_000) {
  const bodies: unknown[] = [];
  const addPicture = {
    operationId: 'addPicture',
    requestBody: { required: true, content: { 'multipart/form-data': { schema: pictureForm } } },
    responses: { '204': { description: 'Added.' } },
  };
  const base = await servePipeline(
    { paths: { '/pictures': { post: addPicture } } },
    async (_operation, { body }) => {
      bodies.push(body);
      return { status: 204 };
    },
    { bodyLimit },
  );
  return { url: `${base}/pictures`, bodies };
}

const png = { ...string, contentMediaType: 'image/png' };
const pictureForm = object({
  title: string,
  width: integer,
  tags: strings,
  place: object({ lat: number }),
  picture: png,
  others: array(png),
});

/** Contains every byte value, so that a conversion to text would change it. */
const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);

function form(changes: Record<string, string | Blob> = {}): FormData {
  const made = new FormData();
  made.set('title', 'Emma');
  made.set('picture', new File([bytes], 'emma.png', { type: 'image/png' }));
  for (const [name, value] of Object.entries(changes)) made.set(name, value);
  return made;
}

const post = async (url: string, body: BodyInit, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
};

test('a handler gets the fields of a form with their types, and files with name, type and bytes', async () => {
  const { url, bodies } = await serve();
  const sent = form({ width: '20', place: '{"lat":1.5}' });
  sent.append('tags', 'a');
  sent.append('others', new File(['x'], 'x.png', { type: 'image/png' }));
  expect(await post(url, sent)).toMatchObject({ status: 204 });
  expect(bodies).toMatchObject([{ title: 'Emma', width: 20, place: { lat: 1.5 }, tags: ['a'] }]);
  const { picture, others } = bodies[0] as { picture: File; others: File[] };
  expect([picture.name, picture.type]).toEqual(['emma.png', 'image/png']);
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(bytes);
  expect(others.map(({ name }) => name)).toEqual(['x.png']);
});

test('rejects a form that is too large or malformed', async () => {
  const { url } = await serve(2_000);
  expect(await post(url, form({ picture: new Blob([new Uint8Array(3_000)]) }))).toMatchObject({
    status: 413,
  });
  const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
  for (const body of ['--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nEmma', 'nothing', ''])
    expect((await post(url, body, type)).status, body).toBeGreaterThanOrEqual(400);
  expect(await post(url, 'a', { 'Content-Type': 'multipart/form-data' })).toMatchObject({ status: 400 });
});

const postText = {
  requestBody: content({ type: 'string' }, 'text/plain'),
  responses: { 200: { description: 'ok' } },
};

test('keeps few chunks of a body that arrives in chunks of one byte', async () => {
  const [operation = expect.fail()] = operationsOf(
    compileContract(documentOf({ '/texts': { post: postText } })),
  );
  const req = new IncomingMessage(new Socket());
  req.headers = { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' };
  const reading = readBody(req, new ServerResponse(req), operation, 100_000);
  const chunks: WeakRef<Buffer>[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const chunk = Buffer.from(String(count % 10));
    chunks.push(new WeakRef(chunk));
    req.push(chunk);
    if (count % 1_000 === 0) await setImmediate();
  }
  await setImmediate();
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  // Each takes 450 bytes of memory besides its content.
  expect(chunks.filter((chunk) => chunk.deref()).length).toBeLessThan(1_000);
  req.complete = true;
  req.push(null);
  expect(await reading).toMatchObject({ body: '0123456789'.repeat(1_000) });
});
