import { PassThrough } from 'node:stream';
import express, { type RequestHandler } from 'express';
import multer from 'multer';
import { expect, test, vi } from 'vitest';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { contract, type RoutesOptions } from '../../../../scripts/runtime-package/express.ts';
import { documentOf, integer, integers, object } from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';
import { sendStatus } from './routed-application.ts';

const form = object({ file: { type: 'string', format: 'binary' } }, 'file');
const deep = object({ n: integer });
const fields = object({ n: integer, list: integers, deep, json: deep });
const responses = { 200: { description: 'The size of the body.', content: { 'text/plain': {} } } };
const upload = (operationId: string, content: object) => ({
  put: { operationId, requestBody: { required: true, content }, responses },
});
const compiled = compileContract(
  documentOf({
    '/forms': upload('putForm', { 'multipart/form-data': { schema: form } }),
    '/fields': upload('putFields', {
      'application/x-www-form-urlencoded': { schema: fields, encoding: { deep: { style: 'deepObject' } } },
    }),
    '/bytes': upload('putBytes', { 'application/octet-stream': {} }),
    '/others': upload('putOther', { 'application/octet-stream': {} }),
    '/nothing': { get: { operationId: 'getNothing', responses } },
  }),
);

/** Responds with the number of bytes that nothing has read before. */
const count: RequestHandler = async (req, res) => {
  let bytes = 0;
  for await (const chunk of req) bytes += chunk.length;
  res.type('text').send(`${bytes}`);
};

async function serve(options: RoutesOptions<undefined>, ...before: RequestHandler[]) {
  const app = express().use(...before, contract(compiled, options));
  app.put(['/forms', '/bytes', '/others'], count).use(sendStatus);
  const base = await startListening(app);
  return async (path: string, body: FormData | Uint8Array<ArrayBuffer> | null, type?: string) => {
    const response = await fetch(base + path, {
      method: 'PUT',
      body,
      ...(type ? { headers: { 'Content-Type': type } } : {}),
    });
    return response.ok ? Number(await response.text()) : response.status;
  };
}

const unreadBodies = ['putForm', 'putBytes'];
const large = new Uint8Array(3_000_000);
const bytes = 'application/octet-stream';

test('leaves bodies of any size unread for the routes that stream them', async () => {
  const put = await serve({ unreadBodies });
  const body = new FormData();
  body.append('file', new Blob([large]));
  expect(await put('/forms', body)).toBeGreaterThan(3_000_000);
  expect(await put('/bytes', large, bytes)).toBe(3_000_000);
  expect(await put('/others', large, bytes)).toBe(413);
});

test('warns once that a parser behind, such as multer, finds no form', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const app = express().use(contract(compiled));
  app.put('/forms', async (req, res) => {
    await req.pipe(new PassThrough()).toArray();
    res.type('text/plain').send('0');
  });
  const base = await startListening(app);
  const body = new FormData();
  body.append('file', new Blob(['x']));
  await fetch(`${base}/forms`, { method: 'PUT', body });
  await fetch(`${base}/forms`, { method: 'PUT', body });
  const warnings = warned.mock.calls.map(([text]) => String(text));
  warned.mockRestore();
  expect(warnings).toEqual([
    expect.stringMatching(/^A parser behind .* form of putForm again.* unreadBodies/),
  ]);
});

test('still requires a body, and a documented media type', async () => {
  const put = await serve({ unreadBodies });
  expect(await put('/bytes', null)).toBe(400);
  expect(await put('/bytes', large, 'image/png')).toBe(415);
  expect(await put('/forms', large, bytes)).toBe(415);
});

test('validates the body if a parser in front has read it', async () => {
  const put = await serve({ unreadBodies }, async (req, _res, next) => {
    await req.resume().toArray();
    req.body = { title: 'no file' };
    next();
  });
  const body = new FormData();
  body.append('title', 'no file');
  expect(await put('/forms', body)).toBe(400);
});

test.each([true, false])('reads a form that a parser in front has read, extended: %s', async (extended) => {
  const app = express().use(express.urlencoded({ extended }), contract(compiled));
  app.put('/fields', (req, res) => void res.type('text').send(JSON.stringify(req.body))).use(sendStatus);
  const base = await startListening(app);
  const put = async (text: string) => {
    const response = await fetch(`${base}/fields`, { method: 'PUT', body: new URLSearchParams(text) });
    return response.ok ? response.json() : response.status;
  };
  expect(await put('n=1&list=1&deep[n]=2&json={"n":3}')).toEqual({
    n: 1,
    list: [1],
    deep: { n: 2 },
    json: { n: 3 },
  });
  for (const invalid of ['n=a', 'list=1&list=a', 'deep[n]=a', 'json={"n":"3"}'])
    expect([invalid, await put(invalid)]).toEqual([invalid, 400]);
});

const inMemory = multer();
const fileUpload: RequestHandler = async (req, _res, next) => {
  await req.resume().toArray();
  Object.assign(req, {
    body: {},
    files: { file: { name: 'a', data: Buffer.from('abc'), mimetype: 'image/png' } },
  });
  next();
};
// Earlier versions needed a text for each file.
const setText: RequestHandler = (req, _res, next) => {
  req.body.file = [''];
  next();
};
test.each<[string, ...RequestHandler[]]>([
  ['multer.single', inMemory.single('file')],
  ['multer.any', inMemory.any()],
  ['multer.fields', inMemory.fields([{ name: 'file' }]), setText],
  ['express-fileupload', fileUpload],
])('validates the files that a parser in front has read: %s', async (_name, ...parsers) => {
  const app = express().use(...parsers, contract(compiled));
  app.put('/forms', ({ body: { file } }, res) => void res.type('text').send(`${file.name} ${file.size}`));
  const base = await startListening(app.use(sendStatus));
  const body = new FormData();
  body.append('file', new Blob(['abc']), 'a');
  expect(await (await fetch(`${base}/forms`, { method: 'PUT', body })).text()).toBe('a 3');
});

test.each([['putFrom'], ['getNothing']])('refuses an operation that has no body: %s', (id) => {
  expect(() => contract(compiled, { unreadBodies: [id] })).toThrow(
    `unreadBodies names ${id}, but the contract has no operation with this ID and a body. Correct the ID.`,
  );
});

test('refuses an operation with a handler, which gets the body', () => {
  const handlers = { putBytes: async () => ({ status: 200, body: '' }) };
  const refused = 'unreadBodies names putBytes, which has a handler.';
  expect(() => contract(compiled, { handlers, unhandled: 'next', unreadBodies })).toThrow(refused);
  expect(() => contract(compiled, { handlers, unhandled: 'next', unreadBodies: ['putForm'] })).not.toThrow();
});
