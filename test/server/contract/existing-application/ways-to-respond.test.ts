import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import type { RouteOptions } from '../../../../server/http/express/validate-routes.ts';
import { sendUnchanged } from '../../../support/api-client.ts';
import {
  content,
  documentOf,
  integer,
  integers,
  object,
  responses,
  string,
} from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { enforcing } from './routed-application.ts';

const schema = { ...object({ n: integer, at: string }, 'n'), additionalProperties: false };
const document = documentOf({
  '/a': {
    get: {
      responses: {
        ...responses(schema, 200),
        '204': { description: 'Nothing.' },
        ...responses(object({ message: string }, 'message'), 500),
      },
    },
  },
  '/b': {
    get: {
      responses: {
        '200': {
          description: 'Yes.',
          headers: { 'X-Pages': { required: true, schema: integers } },
          ...content(schema),
        },
        '302': { description: 'Elsewhere.', headers: { Location: { schema: { maxLength: 3 } } } },
      },
    },
  },
  '/file': { get: { responses: { '200': { description: 'Yes.', content: { 'text/csv': {} } } } } },
});

const json = { 'Content-Type': 'application/json' };

/** All ways to respond. `body` is JSON text, and `value` the same as a value. */
const ways: Record<string, (...given: [...Parameters<RequestHandler>, body: string]) => void> = {
  'res.json': (_req, res, _next, body) => void res.json(JSON.parse(body)),
  'res.json with spaces': (_req, res, _next, body) => {
    res.app.set('json spaces', 2);
    res.json(JSON.parse(body));
  },
  'res.json with a replacer': (_req, res, _next, body) => {
    res.app.set('json replacer', (name: string, value: unknown) => (name === '' ? JSON.parse(body) : value));
    res.json({ n: 1 });
  },
  'res.json with toJSON': (_req, res, _next, body) => void res.json({ n: 1, toJSON: () => JSON.parse(body) }),
  'res.jsonp': (_req, res, _next, body) => void res.jsonp(JSON.parse(body)),
  'res.send of an object': (_req, res, _next, body) => void res.send(JSON.parse(body)),
  'res.send of a string': (_req, res, _next, body) => void res.type('json').send(body),
  'res.send of a buffer': (_req, res, _next, body) => void res.type('json').send(Buffer.from(body)),
  'res.end': (_req, res, _next, body) => void res.type('json').end(body),
  'res.end without a media type': (_req, res, _next, body) => void res.end(body),
  'res.end in UTF-16': (_req, res, _next, body) => {
    res.setHeader('Content-Type', 'application/json; charset=utf-16le');
    res.end(body, 'utf16le');
  },
  'res.write and res.end': (_req, res, _next, body) => {
    res.type('json').write(body.slice(0, 3));
    res.end(body.slice(3));
  },
  'writing in two turns': (_req, res, _next, body) => {
    res.type('json').write(body.slice(0, 3));
    setImmediate(() => res.end(body.slice(3)));
  },
  'res.writeHead': (_req, res, _next, body) => void res.writeHead(200, json).end(body),
  'res.writeHead with a reason and a list': (_req, res, _next, body) =>
    void res.writeHead(200, 'Fine', ['Content-Type', 'application/json', 'X-A', '1', 'X-A', '2']).end(body),
  'res.writeHead after setHeader': (_req, res, _next, body) => {
    res.setHeader('Content-Type', 'text/plain');
    res.writeHead(200, json);
    res.end(body);
  },
  'res.flushHeaders': (_req, res, _next, body) => {
    res.type('json').flushHeaders();
    res.end(body);
  },
  'res.flushHeaders and res.write': (_req, res, _next, body) => {
    res.type('json').flushHeaders();
    for (const each of body) res.write(each);
    res.end();
  },
  'a pipe': (_req, res, _next, body) => void Readable.from([body]).pipe(res.type('json')),
  'a chunked response with trailers': (_req, res, _next, body) => {
    res.writeHead(200, { ...json, Trailer: 'X-End' });
    res.write(body);
    res.addTrailers({ 'X-End': '1' });
    res.end();
  },
  'a content coding': (_req, res, _next, body) =>
    void res.type('json').set('Content-Encoding', 'gzip').send(gzipSync(body)),
  'setHeader after res.write': (_req, res, _next, body) => {
    res.write(body);
    res.setHeader('Content-Type', 'application/json');
    res.end();
  },
  'a status that is set late': (_req, res, _next, body) => {
    res.statusCode = 418;
    res.type('json').write(body);
    res.statusCode = 200;
    res.end();
  },
};

const onError: ErrorRequestHandler = (error, _req, res, _next) =>
  void res
    .status(error.status ?? 500)
    .type('json')
    .send('{"message":"replaced"}');

interface Served {
  options?: RouteOptions;
  between?: RequestHandler[];
  handle?: ErrorRequestHandler;
}

async function serve(route: RequestHandler, { options, between = [], handle = onError }: Served = {}) {
  const app: Express = express().disable('etag');
  app.use(enforcing(document, options), ...between);
  app.get(['/a', '/b', '/file'], route);
  app.use(handle);
  const url = await startListening(app);
  return (path = '/a', method = 'GET', headers: Record<string, string> = {}) =>
    sendUnchanged(url, method, path, { headers });
}

const valid = '{"n":1}';
const invalid: [what: string, body: string][] = [
  ['of another type', '{"n":"SECRET"}'],
  ['with a duplicate name', '{"n":"SECRET","n":1}'],
  ['with a duplicate name in other characters', '{"n":"SECRET","\\u006e":1}'],
  ['without a property', '{"SECRET":1}'],
];

/** Sets a header just before the headers are sent, as session middleware does. */
const withCookie: RequestHandler = (_req, res, next) => {
  const { writeHead } = res;
  res.writeHead = function (...given: unknown[]) {
    this.setHeader('Set-Cookie', 'sid=1');
    return Reflect.apply(writeHead, this, given);
  };
  next();
};

const asText = new Set(Object.keys(ways).filter((way) => !/json|object/.test(way)));

test.each(Object.entries(ways))('%s sends a valid body, and no invalid one', async (way, respond) => {
  const between = [withCookie];
  const send = await serve((req, res, next) => respond(req, res, next, valid), { between });
  const { status, text, headers } = await send();
  if (way === 'res.end in UTF-16') expect(status).toBe(500);
  else expect([status, headers]).toEqual([200, expect.objectContaining({ 'set-cookie': ['sid=1'] })]);
  if (status === 200 && way !== 'a content coding') expect(JSON.parse(text)).toEqual({ n: 1 });
  for (const [what, body] of invalid) {
    // `JSON.parse` keeps the last value of a name.
    if (/duplicate/.test(what) && !asText.has(way)) continue;
    const sendInvalid = await serve((req, res, next) => respond(req, res, next, body), { between });
    const response = await sendInvalid();
    expect([what, response.status, response.text]).toEqual([what, 500, '{"message":"replaced"}']);
    expect(JSON.stringify(response.headers)).not.toContain('gzip');
  }
});

test.each<[string, RequestHandler, number]>([
  ['another status', (_req, res) => void res.writeHead(203, json).end(valid), 500],
  ['a redirect', (_req, res) => void res.redirect('/SECRET'), 500],
  ['res.sendStatus', (_req, res) => void res.sendStatus(202), 500],
  ['another media type', (_req, res) => void res.send('<p>SECRET</p>'), 500],
  ['no body', (_req, res) => void res.end(), 500],
  ['204 with a body', (_req, res) => void res.status(204).end('SECRET'), 204],
  ['304 with a body', (_req, res) => void res.writeHead(304, json).end('SECRET'), 304],
  ['next with an error', (_req, _res, next) => next(new Error('SECRET')), 500],
  [
    'bytes that are not UTF-8',
    (_req, res) => void res.type('json').end(Buffer.from('{"n":1,"\xff":1}', 'latin1')),
    500,
  ],
  [
    'an unknown content coding',
    (_req, res) => void res.type('json').set('Content-Encoding', 'x').end(valid),
    500,
  ],
  ['JSON behind a byte order mark', (_req, res) => void res.type('json').end(`\ufeff${valid}`), 500],
  [
    'two responses, of which one is invalid',
    (_req, res) => {
      res.json({ n: 'SECRET' });
      if (!res.headersSent) res.json({ n: 'SECRET' });
    },
    500,
  ],
])('%s sends no invalid body', async (_what, route, status) => {
  const send = await serve(route);
  const response = await send();
  expect(response.status).toBe(status);
  expect(response.text).not.toContain('SECRET');
});

const long = 'é'.repeat(3_000);

class Row {
  n = 1;
  get at() {
    return 'on the prototype';
  }
}

test.each<[what: string, value: unknown, text: string | undefined]>([
  ['an object that becomes valid', { n: 1, at: new Date(0) }, '{"n":1,"at":"1970-01-01T00:00:00.000Z"}'],
  ['a property that is not written', { n: 1, more: undefined }, '{"n":1}'],
  ['a number that becomes null', { n: Number.NaN }, undefined],
  ['an object of a class', new Row(), '{"n":1}'],
  // Express sends long texts as buffers.
  ['a long text', { n: 1, at: long }, JSON.stringify({ n: 1, at: long })],
  ['an invalid long text', { n: '1', at: long }, undefined],
])('res.json validates what is written of %s', async (_what, value, text) => {
  const send = await serve((_req, res) => void res.json(value));
  expect(await send()).toMatchObject(text === undefined ? { status: 500 } : { status: 200, text });
});

test('validates the text if other middleware changes it, or replaces res.json', async () => {
  const changing: RequestHandler = (_req, res, next) => {
    const { send } = res;
    res.send = (text) => send.call(res, String(text).replace('1', '"one"'));
    next();
  };
  const replacing: RequestHandler = (_req, res, next) => {
    res.json = (value) => res.type('json').send(JSON.stringify({ n: value.n, wrapped: true }));
    next();
  };
  const encoding: RequestHandler = (_req, res, next) => {
    const { end } = res;
    res.end = (body) => end.call(res, Buffer.from(String(body).replace('"n":1', '"n":"1"')), 'utf8');
    next();
  };
  for (const between of [changing, replacing, encoding])
    for (const value of [{ n: 1 }, { n: 1, at: long }]) {
      const send = await serve((_req, res) => void res.json(value), { between: [between] });
      expect((await send()).status).toBe(500);
    }
});

test('validates what error handlers send instead of a long text', async () => {
  const text = JSON.stringify({ n: 2 });
  const send = await serve((_req, res) => void res.json({ n: '1', at: long }), {
    handle: (_error, _req, res, _next) => void res.status(200).type('json').send(Buffer.from(text)),
  });
  expect(await send()).toMatchObject({ status: 200, text });
});

test.each<[string, RequestHandler, number]>([
  ['a documented header', (_req, res) => void res.set('X-Pages', '1, 2').json({ n: 1 }), 200],
  ['a header in two lines', (_req, res) => void res.set('X-Pages', ['1', '2']).json({ n: 1 }), 200],
  ['a header with the number 0', (_req, res) => void res.setHeader('X-Pages', 0).json({ n: 1 }), 200],
  ['a redirection with an invalid header', (_req, res) => void res.redirect('/long'), 500],
  ['a body that is no redirection', (_req, res) => void res.status(302).send('a'), 500],
])('validates headers: %s', async (_what, route, status) => {
  expect((await (await serve(route))('/b')).status).toBe(status);
});

test('sends a file, and no invalid one', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'valid.json'), valid);
  await writeFile(join(folder, 'invalid.json'), '{"n":"SECRET"}');
  const status = async (name: string) =>
    (await (await serve((_req, res) => res.sendFile(name, { root: folder })))()).status;
  expect([await status('valid.json'), await status('invalid.json')]).toEqual([200, 500]);
});

// apiaryio/dredd#556
test.each<[what: string, route: RequestHandler, status: number]>([
  ['an empty file', (_req, res) => void res.type('csv').send(''), 200],
  ['no body', (_req, res) => void res.end(), 500],
])('tells an empty file from a missing body: %s', async (_what, route, status) => {
  expect((await (await serve(route))('/file')).status).toBe(status);
});

test('sends the undocumented 206, 304 and 416 of a conditional or range request, but no part of JSON', async () => {
  const folder = await temporaryFolder();
  const statusOf = async (name: string, path: string, headers: Record<string, string>) => {
    await writeFile(join(folder, name), valid);
    const send = await serve((_req, res, next) => res.sendFile(name, { root: folder }, next));
    return (await send(path, 'GET', headers)).status;
  };
  expect(await statusOf('a.csv', '/file', { Range: 'bytes=0-2' })).toBe(206);
  expect(await statusOf('a.csv', '/file', { Range: 'bytes=99-' })).toBe(416);
  expect(await statusOf('a.csv', '/file', { 'If-None-Match': '*' })).toBe(304);
  expect(await statusOf('a.json', '/a', { Range: 'bytes=0-2' })).toBe(500);
  const status = async (code: number) =>
    (await (await serve((_req, res) => void res.sendStatus(code)))()).status;
  expect([await status(206), await status(416)]).toEqual([500, 500]);
});

test('HEAD gets the headers of a valid response without its body', async () => {
  const send = await serve((_req, res) => void res.json({ n: 1 }));
  expect(await send('/a', 'HEAD')).toMatchObject({ status: 200, text: '' });
});

test('validates what compression between the middleware and the route has written', async () => {
  const between = [compression({ threshold: 0 })];
  const gzip = { 'Accept-Encoding': 'gzip' };
  const send = await serve((_req, res) => void res.json({ n: 1 }), { between });
  expect(await send('/a', 'GET', gzip)).toMatchObject({
    status: 200,
    headers: { 'content-encoding': 'gzip' },
  });
  const sendInvalid = await serve((_req, res) => void res.json({ n: 'SECRET' }), { between });
  expect(await sendInvalid('/a', 'GET', gzip)).toMatchObject({
    status: 500,
    text: '{"message":"replaced"}',
  });
});

test('two middlewares that document the same operation both validate its response', async () => {
  const narrow = object({ n: { ...integer, maximum: 5 } }, 'n');
  const paths = { '/a': { get: { responses: responses(narrow, 200) } } };
  const between = [enforcing({ ...document, paths })];
  const statusOf = async (n: unknown) =>
    (await (await serve((_req, res) => void res.json({ n }), { between }))()).status;
  expect([await statusOf(1), await statusOf(9), await statusOf('SECRET')]).toEqual([200, 500, 500]);
});

test('sends what is not validated once if the headers are flushed after it', async () => {
  const route: RequestHandler = (_req, res) => {
    res.type('text/csv').write('a,');
    res.flushHeaders();
    res.end('b');
  };
  const send = await serve(route, { options: { responseLimit: 1 } });
  expect(await send('/file')).toMatchObject({ status: 200, text: 'a,b' });
});

/** The 500 in the format of the contract. It conforms to the schema of the documented one. */
const problem = { message: 'The response did not conform to the contract.' };

test.each<[string, RequestHandler]>([
  ['200', (_req, res) => void res.json({ n: 'SECRET' })],
  ['a documented 500', (_req, res) => void res.status(500).json({ secret: 'SECRET' })],
  ['an undocumented 400', (_req, res) => void res.status(400).json({ message: 'SECRET' })],
  ['a large body', (_req, res) => void res.status(400).json({ message: 'SECRET'.repeat(9) })],
  [
    'an undocumented stream',
    (_req, res) => {
      res.status(400).type('text/event-stream').flushHeaders();
      res.write('SECRET');
      res.end();
    },
  ],
])(
  'sends 500 if the error handler responds to an invalid response with an invalid one: %s',
  async (_what, respond) => {
    const handle: ErrorRequestHandler = (_error, req, res, next) => respond(req, res, next);
    const send = await serve((_req, res) => void res.json({ n: 'x' }), {
      handle,
      options: { responseLimit: 50 },
    });
    const { status, text } = await send();
    expect([status, JSON.parse(text)]).toEqual([500, problem]);
  },
);

test.each<[string, RequestHandler]>([
  ['an error', (_req, res) => void res.status(400).json({ message: 'SECRET' })],
  ['a documented error', (_req, res) => void res.status(500).json({ secret: 'SECRET' })],
  ['parts', (_req, res) => void res.status(400).write('SECRET')],
])('validates what a route sends while the error handler waits: %s', async (_what, respond) => {
  let respondNow = () => {};
  const handle: ErrorRequestHandler = async (_error, _req, res, _next) => {
    await new Promise<void>((resolve) => {
      respondNow = resolve;
    });
    if (!res.headersSent) res.status(500).json({ message: 'replaced' });
  };
  const send = await serve(
    async (req, res, next) => {
      res.json({ n: 'SECRET' });
      await undefined;
      respond(req, res, next);
      respondNow();
    },
    { handle },
  );
  const { status, text } = await send();
  expect([status, JSON.parse(text)]).toEqual([500, problem]);
});

test('validates a response with a text of 16 MB', async () => {
  const options = { responseLimit: 2 ** 25 };
  const statusOf = async (more: string) => {
    const body = `{ "at": "${String.raw`\"\\`}${'a'.repeat(2 ** 24)}", "n": 1${more} }`;
    return (await (await serve((_req, res) => void res.type('json').send(body), { options }))()).status;
  };
  expect([await statusOf(''), await statusOf(String.raw`, "\u006e": 2`)]).toEqual([200, 500]);
});

test('validates the status and the media type of a response above the size limit', async () => {
  const options = { responseLimit: 5 };
  const statusOf = async (route: RequestHandler) => (await (await serve(route, { options }))()).status;
  expect(await statusOf((_req, res) => void res.json({ n: 'large' }))).toBe(200);
  expect(await statusOf((_req, res) => void res.send('<p>large</p>'))).toBe(500);
  const chunks = Readable.from(['{"n":', '"large"}']);
  expect(await statusOf((_req, res) => void chunks.pipe(res.status(203).type('json')))).toBe(500);
});
