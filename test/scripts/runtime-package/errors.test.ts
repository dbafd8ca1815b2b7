import express from 'express';
import { expect, test, vi } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { contract } from '../../../scripts/runtime-package/express.ts';
import { fetchHandler } from '../../../scripts/runtime-package/fetch.ts';
import { documentOf } from '../../support/documents.ts';
import { startListening } from '../../support/start-listening.ts';

const responses = {
  204: { description: 'Nothing.' },
  default: { description: 'An error.', content: { 'application/problem+json': {} } },
};
const compiled = compileContract(documentOf({ '/notes': { get: { operationId: 'listNotes', responses } } }));

const failure = new Error('There are no notes.');
const handlers = {
  listNotes: async () => {
    throw failure;
  },
};

const asks = {
  express: async (options: { onError?: () => void }) =>
    fetch(`${await startListening(express().use(contract(compiled, { handlers, ...options })))}/notes`),
  fetch: async (options: { onError?: () => void }) =>
    fetchHandler(compiled, { handlers, ...options })(new Request('http://localhost/notes')),
};

test('prints a line as for routes if the response of a handler is invalid', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const invalid = { listNotes: async () => ({ status: 204, body: 'text' }) };
  const ask = fetchHandler(compiled, { handlers: invalid });
  expect((await ask(new Request('http://localhost/notes'))).status).toBe(500);
  const line = {
    msg: 'invalid response',
    operation: 'listNotes',
    status: 204,
    message: 'no body is documented',
  };
  expect(printed.mock.calls.map(([text]) => JSON.parse(text))).toEqual([line]);
  printed.mockRestore();
});

test.each(Object.entries(asks))(
  'prints the error of a handler, unless onError is called with it: %s',
  async (_how, ask) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const onError = vi.fn();
    expect((await ask({ onError })).status).toBe(500);
    expect([onError.mock.calls.length, printed.mock.calls]).toEqual([1, []]);
    expect((await ask({})).status).toBe(500);
    expect(printed.mock.calls).toEqual([['listNotes failed.', failure]]);
    printed.mockRestore();
  },
);

const composerResponses = { 204: { description: 'Yes.' } };
const get = { operationId: 'listComposers', responses: composerResponses };
const composers = compileContract(documentOf({ '/composers': { get } }));
const listComposers = async () => ({ status: 204 });

// The arguments as JavaScript gives them, without types.
const make = (...given: unknown[]): unknown => Reflect.apply(contract, undefined, given);

test.each([
  ['a file name', ['openapi.yaml'], 'This is no compiled contract.'],
  ['nothing', [], 'This is no compiled contract.'],
  [
    'an option of another validator',
    [composers, { validateResponses: true }],
    'no option validateResponses.',
  ],
  ['a misspelt handler', [composers, { handlers: { getComposr: listComposers } }], 'names getComposr, but'],
  ['a missing handler', [composers, { handlers: {} }], 'listComposers has no handler.'],
  [
    'checks of no operation',
    [composers, { checks: { getComposr: () => [] } }],
    'checks names getComposr, but',
  ],
  ['a regular expression to ignore', [composers, { ignore: /docs/ }], 'The option ignore must be function.'],
  ['a size as text', [composers, { bodyLimit: '1mb' }], 'The option bodyLimit must be number.'],
  ['null', [composers, { errors: null }], 'The option errors must be object.'],
  ['a misspelt value', [composers, { onInvalidResponse: 'of' }], "or 'off'."],
])('refuses %s when the application starts', (_what, given, message) => {
  expect(() => make(...given)).toThrow(message);
});

test('refuses a fetch handler without handlers', () => {
  expect(() => Reflect.apply(fetchHandler, undefined, [composers, {}])).toThrow('has no handler.');
});

test('accepts a missing handler that a route replaces', () => {
  expect(() => make(composers, { handlers: {}, unhandled: 'next' })).not.toThrow();
  expect(() => make(composers, { handlers: { listComposers } })).not.toThrow();
});
