import { expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { errorFormat } from '../../../server/errors.ts';
import { createFetchHandler } from '../../../server/http/fetch/fetch-handler.ts';
import { documentOf, integer, integers, object } from '../../support/documents.ts';
import { servePipeline } from './serve-pipeline.ts';

const color = object({ R: integer, G: integer }, 'R', 'G');
const documentWith = (header: object, name = 'X-A') => {
  const responses = { 200: { description: '', headers: { [name]: header } } };
  return documentOf({ '/a': { get: { operationId: 'getA', responses } } });
};

/** Returns the status and the header with which a contract sends what a handler returns. */
async function sent(header: object, value: unknown) {
  const handle = createFetchHandler({
    contract: compileContract(documentWith(header)),
    errors: errorFormat,
    respond: async () => ({ status: 200, headers: { 'X-A': value } }),
  });
  const response = await handle(new Request('http://localhost/a'));
  return [response.status, response.headers.get('x-a')];
}

test.each([
  ['a number', { schema: { type: 'integer' } }, 7, '7'],
  ['an array', { schema: integers }, [1, 2], '1,2'],
  ['an object', { schema: color }, { R: 100, G: 200 }, 'R,100,G,200'],
  ['an exploded object', { schema: color, explode: true }, { R: 100, G: 200 }, 'R=100,G=200'],
  ['JSON', { content: { 'application/json': { schema: color } } }, { R: 100, G: 200 }, '{"R":100,"G":200}'],
])('writes %s into a header, and accepts its text from a handler', async (_what, header, value, text) => {
  expect(await sent(header, value)).toEqual([200, text]);
  expect(await sent(header, text)).toEqual([200, text]);
});

// mswjs/msw#640, OAI/OpenAPI-Specification#1237: a comma is a part of a cookie.
test.each([
  ['texts', { type: 'string', minLength: 3 }, 200],
  ['a list', { type: 'array', items: { type: 'string' }, maxItems: 2 }, 200],
  ['other texts', { type: 'string', maxLength: 5 }, 500],
])('sends several cookies, documented as %s, in field lines of their own', async (_what, schema, status) => {
  const cookies = ['a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT', 'b=2'];
  const document = documentWith({ required: true, schema }, 'Set-Cookie');
  const respond = async () => ({ status: 200, headers: { 'Set-Cookie': cookies } });
  const handle = createFetchHandler({ contract: compileContract(document), errors: errorFormat, respond });
  const inMemory = await handle(new Request('http://localhost/a'));
  const overHttp = await fetch(`${await servePipeline(document, respond)}/a`);
  for (const response of [inMemory, overHttp]) {
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toEqual(status === 200 ? cookies : []);
  }
});

test.each([
  ['in the other notation', { schema: color, explode: true }, 'R,100,G,200'],
  ['with a wrong type', { schema: color }, 'R,100,G,x'],
  ['that is not JSON', { content: { 'application/json': { schema: color } } }, 'R,100,G,200'],
])('withholds a response with a header %s', async (_what, header, text) => {
  expect(await sent(header, text)).toEqual([500, null]);
});

test('sends a response without an optional header that has the name of an inherited property', async () => {
  const handle = createFetchHandler({
    contract: compileContract(documentWith({ schema: { type: 'integer' } }, 'Constructor')),
    errors: errorFormat,
    respond: async () => ({ status: 200 }),
  });
  expect((await handle(new Request('http://localhost/a'))).status).toBe(200);
});

test('sends no header without a value, if the operation documents no response', async () => {
  const get = { operationId: 'getA', responses: {} };
  const respond = async () => ({ status: 200, headers: { 'X-A': undefined, 'X-B': 'b' } });
  const response = await fetch(`${await servePipeline({ paths: { '/a': { get } } }, respond)}/a`);
  expect([response.status, response.headers.get('x-a'), response.headers.get('x-b')]).toEqual([
    200,
    null,
    'b',
  ]);
});
