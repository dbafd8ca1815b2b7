import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import { integer, object, responses, string } from '../../../support/schemas.ts';
import { startListening } from '../../../support/start-listening.ts';
import { enforcing, sendStatus } from './routed-application.ts';

const schema = { ...object({ at: string, n: integer }, 'n'), additionalProperties: false };
const enforce = enforcing({ paths: { '/a': { get: { responses: responses(schema, 200) } } } });

/** Returns the body, or the status of an error, of a route that sends a value with `res.json`. */
async function sending(value: unknown, ...between: RequestHandler[]) {
  const app = express();
  if (value === 'with a replacer')
    app.set('json replacer', (name: string, each: unknown) => (name === 'n' ? 'x' : each));
  app.use(enforce, ...between);
  app.get('/a', (_req, res) => void res.json(value === 'with a replacer' ? { n: 1 } : value));
  const response = await fetch(`${await startListening(app.use(sendStatus))}/a`);
  return response.status === 200 ? response.text() : response.status;
}

const long = 'é'.repeat(3_000);

class Row {
  n = 1;
  get at() {
    return 'on the prototype';
  }
}

test.each<[what: string, value: unknown, text: string | undefined]>([
  ['plain data', { n: 1, at: 'now' }, '{"n":1,"at":"now"}'],
  ['plain data that is not valid', { n: '1' }, undefined],
  // Express sends long texts as buffers.
  ['a long text', { n: 1, at: long }, JSON.stringify({ n: 1, at: long })],
  ['a long text that is not valid', { n: '1', at: long }, undefined],
  [
    'an object that becomes valid when it is written',
    { n: 1, at: new Date(0) },
    '{"n":1,"at":"1970-01-01T00:00:00.000Z"}',
  ],
  ['a property that is not written', { n: 1, more: undefined }, '{"n":1}'],
  ['a number that becomes null', { n: Number.NaN }, undefined],
  ['an object of a class', new Row(), '{"n":1}'],
  ['an object with toJSON', { toJSON: () => ({ n: 2 }) }, '{"n":2}'],
  ['a value that a replacer changes', 'with a replacer', undefined],
])('validates what is written of %s', async (_what, value, text) => {
  expect(await sending(value)).toEqual(text ?? 500);
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
  expect(await sending({ n: 1 }, changing)).toBe(500);
  expect(await sending({ n: 1, at: long }, changing)).toBe(500);
  expect(await sending({ n: 1, at: long }, encoding)).toBe(500);
  expect(await sending({ n: 1 }, replacing)).toBe(500);
});

test('validates what error handlers send instead of a long text', async () => {
  const documented = { ...responses(schema, 200), ...responses(object({ message: string }, 'message'), 500) };
  const message = JSON.stringify({ message: long });
  const app = express();
  app.use(enforcing({ paths: { '/a': { get: { responses: documented } } } }));
  app.get('/a', (_req, res) => void res.json({ n: '1', at: long }));
  const handle: ErrorRequestHandler = (_error, _req, res, _next) =>
    void res.status(500).type('json').send(Buffer.from(message));
  const response = await fetch(`${await startListening(app.use(handle))}/a`);
  expect(await response.text()).toBe(message);
});
