import { expect, test } from 'vitest';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { isAcceptedBy } from '../../../../scripts/lab/replay/replay-refusals.ts';
import { unchecked, uncheckedIn } from '../../../../scripts/lab/replay/unchecked.ts';
import { ApiError } from '../../../../server/contract/errors.ts';
import type { HandlerResponse, ValidatedInput } from '../../../../server/contract/exchange.ts';
import { operationsOf } from '../../../../server/contract/operations.ts';
import { errorFormat, validationError } from '../../../../server/errors.ts';
import { knownDefects } from '../../../../server/validation/second-validator/known-defects.ts';
import {
  createSecondValidator,
  type Difference,
  type Validators,
} from '../../../../server/validation/second-validator/second-validator.ts';
import { createStockValidator } from '../../../../server/validation/second-validator/stock-middleware.ts';
import { locationOf, StockRefusal } from '../../../../server/validation/second-validator/stock-refusal.ts';
import { sendUnchanged } from '../../../support/api-client.ts';
import {
  content,
  documentOf,
  integer,
  object,
  responses,
  string,
  strings,
} from '../../../support/documents.ts';
import { servePipeline } from '../../contract/serve-pipeline.ts';

/** @param maxLength of names in requests and responses @param more properties of the request body @param error its schema */
const documentWith = (maxLength: number, more: object = {}, error: object = {}) => {
  const name = { ...string, maxLength };
  const body = object({ name, tags: { ...strings, default: [] }, ...more });
  const post = {
    operationId: 'saveThing',
    parameters: [
      { in: 'path', name: 'id', required: true, schema: integer },
      { in: 'query', name: 'size', schema: { ...integer, default: 7 } },
      { in: 'query', name: 'text', schema: string },
      { in: 'header', name: 'X-Key', schema: string },
    ],
    requestBody: content({ ...body, additionalProperties: false }),
    responses: {
      200: {
        description: 'A thing',
        headers: { ETag: { schema: string } },
        ...content({ ...object({ name }), type: ['object', 'null'] }),
      },
      ...responses(error, 422),
    },
  };
  const { requestBody, responses: answers } = post;
  const saveIt = {
    operationId: 'saveIt',
    requestBody: { ...requestBody, required: true },
    responses: answers,
  };
  return documentOf({ '/things/{id}': { post }, '/thing': { post: saveIt } });
};

interface Served {
  /** The document of the stock middleware. */
  stock?: ReturnType<typeof documentWith>;
  /** The body of the response, or the error that the handler throws. */
  body?: unknown;
}

/** Serves the contract with names of 10 characters. */
async function serve(which: Validators, { stock = documentWith(10), body = { name: 'Ada' } }: Served = {}) {
  const differences: Difference[] = [];
  const inputs: ValidatedInput[] = [];
  const document = documentWith(10);
  const second =
    which === 'ours'
      ? undefined
      : createSecondValidator({
          validators: which,
          document: stock,
          onDifference: (difference) => differences.push(difference),
        });
  const base = await servePipeline(
    document,
    async (_operation, { path, query, headers, body: given }): Promise<HandlerResponse> => {
      inputs.push({ path, query, headers, body: given });
      if (body instanceof Error) throw body;
      return { status: 200, body };
    },
    { errors: errorFormat, validation: second?.validation, entityTag: () => '"tag"' },
  );
  const send = (target: string, sent?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${base}${target}`, {
      method: 'POST',
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
  return { base, send, differences, inputs };
}

test.each(['ours', 'both', 'stock'] as const)(
  'with %s, handlers get the same input and clients the same response',
  async (which) => {
    const { send, inputs, differences } = await serve(which);
    const response = await send('/things/5?text=a', { name: 'Ada' }, { 'X-Key': 'k' });
    expect([response.status, response.headers.get('etag'), await response.json()]).toEqual([
      200,
      '"tag"',
      { name: 'Ada' },
    ]);
    expect(inputs).toEqual([
      {
        path: { id: 5 },
        query: { size: 7, text: 'a' },
        headers: { 'x-key': 'k' },
        body: { name: 'Ada', tags: [] },
      },
    ]);
    expect((await send('/things/5?other=1', {})).status).toBe(422);
    expect((await send('/things/5', { name: 'A name of 21 letters.' })).status).toBe(422);
    expect(inputs).toHaveLength(1);
    expect(differences).toEqual([]);
  },
);

test('with both, refuses a request that only the stock middleware refuses, and reports it without values', async () => {
  const { send, inputs, differences } = await serve('both', { stock: documentWith(3) });
  const response = await send('/things/5', { name: 'secret' });
  expect(response.status).toBe(422);
  expect(await response.text()).toContain('/name must have at most 3 characters');
  expect(inputs).toEqual([]);
  expect(differences).toEqual([
    {
      operation: 'saveThing',
      message: 'request',
      ours: 'accepts',
      stock: 'refuses',
      violations: [{ location: '/name', keyword: 'maxLength' }],
      defect: undefined,
    },
  ]);
  expect(JSON.stringify(differences)).not.toContain('secret');
});

test('with both, withholds a response that only the stock middleware refuses', async () => {
  const { send, differences } = await serve('both', { stock: documentWith(3), body: { name: 'secret' } });
  const response = await send('/things/5', {});
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
  expect(differences).toMatchObject([
    { message: 'response', violations: [{ location: '/name', keyword: 'maxLength' }] },
  ]);
});

test('with both, validates the errors of handlers, too', async () => {
  const stock = documentWith(10, {}, { type: 'object', required: ['reason'] });
  const { send, differences } = await serve('both', { stock, body: new ApiError(validationError([])) });
  expect((await send('/things/5', {})).status).toBe(500);
  expect(differences).toMatchObject([
    { message: 'response', violations: [{ location: '/reason', keyword: 'required' }] },
  ]);
});

test('with both, handlers do not see what the stock middleware changes', async () => {
  const { send, inputs } = await serve('both', { stock: documentWith(10, { added: { default: 1 } }) });
  expect((await send('/things/5', { name: 'Ada' })).status).toBe(200);
  expect(inputs).toMatchObject([{ body: { name: 'Ada', tags: [] } }]);
  expect(inputs[0]?.body).not.toHaveProperty('added');
});

test('with stock, the stock middleware alone decides', async () => {
  const { send, inputs } = await serve('stock', { stock: documentWith(20) });
  expect((await send('/things/5', { name: 'Only the other' })).status).toBe(200);
  expect(inputs).toMatchObject([{ body: { name: 'Only the other' } }]);
  const { send: again } = await serve('stock', { body: { name: 7 } });
  expect((await again('/things/5', {})).status).toBe(500);
});

/** A request, and the response of the handler, for each known defect and for each thing that is not checked. */
const cases: Readonly<
  Record<
    string,
    { target?: string; body?: unknown; headers?: Record<string, string | string[]>; response?: unknown }
  >
> = {
  'optional body': {},
  'reserved characters': { target: '/things/5?text=a@b', body: {} },
  'empty query parameter': { target: '/things/5?text=', body: {} },
  'null response': { body: {}, response: null },
  'number notation': { target: '/things/5?size=1e2', body: {} },
  'invalid text': { body: { name: 'a\u0000' } },
  'UTF-8': { body: Buffer.from('{"name":"\xff"}', 'latin1') },
  charset: { body: {}, headers: { 'Content-Type': 'application/json; charset=utf-16' } },
  'missing body': { target: '/thing' },
  'repeated header': { body: {}, headers: { 'X-Key': ['a', 'b'] } },
  coding: { body: {}, headers: { 'Content-Encoding': 'br' } },
};

test.each(knownDefects)(
  'ours decides where the stock middleware has the defect "$name"',
  async ({ name }) => {
    const { target = '/things/5', body, response = { name: 'Ada' } } = cases[name] ?? {};
    const { base, inputs, differences } = await serve('both', { body: response });
    expect(await post(base, target, body)).toEqual({ status: 200, message: undefined });
    expect(inputs).toHaveLength(1);
    expect(differences).toMatchObject([{ defect: name, ours: 'accepts', stock: 'refuses' }]);
  },
);

test.each(unchecked)('the stock middleware does not check "$name", and ours does', async ({ name }) => {
  const { target = '/things/5', body, headers = {} } = cases[name] ?? {};
  const { base } = await serve('ours');
  const { status, message } = await post(base, target, body, headers);
  expect(status).toBeGreaterThanOrEqual(400);
  const seen = Object.fromEntries(
    Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([key, value]) => [
      key.toLowerCase(),
      String(value),
    ]),
  );
  const refusal = { status, fields: '', message: String(message) };
  const request = {
    method: 'POST',
    url: target,
    headers: seen,
    body: body === undefined ? '' : textOf(body),
    refusal,
  };
  expect(uncheckedIn(request)?.name).toBe(name);
  expect(await isAcceptedBy(createStockValidator(documentWith(10)), request)).toBe(true);
});

test('a location contains neither the URL of a request nor a long name', () => {
  const operation = operationsOf(compileContract(documentWith(10)))[0] ?? expect.fail();
  expect(locationOf(operation, '/things/secret?query=secret')).toBe('');
  expect(locationOf(operation, `/body/${'a'.repeat(1_000)}`)).toHaveLength(256);
});

test('the stock middleware refuses what violates the contract, with its status', async () => {
  const validate = createStockValidator(documentWith(10));
  const head = { method: 'POST', url: '/things/5', rawHeaders: [] };
  await expect(validate({ ...head, headers: { 'content-type': 'text/plain' } }, undefined)).rejects.toSatisfy(
    (error) => error instanceof StockRefusal && error.status === 415,
  );
});

const textOf = (body: unknown): string => (body instanceof Buffer ? body.toString() : JSON.stringify(body));

/** Sends a request with a body of JSON, and with repeated headers. */
async function post(
  base: string,
  target: string,
  body: unknown,
  headers: Record<string, string | string[]> = {},
) {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const { status, text } = await sendUnchanged(base, 'POST', target, {
    headers: { ...type, ...headers },
    body: body === undefined || body instanceof Buffer ? body : JSON.stringify(body),
  });
  return { status, message: JSON.parse(text)?.message };
}
