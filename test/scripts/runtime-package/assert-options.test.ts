import { expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { contract } from '../../../scripts/runtime-package/express.ts';
import { fetchHandler } from '../../../scripts/runtime-package/fetch.ts';
import { documentOf } from '../../support/schemas.ts';

const responses = { 204: { description: 'Yes.' } };
const get = { operationId: 'listComposers', responses };
const compiled = compileContract(documentOf({ '/composers': { get } }));
const listComposers = async () => ({ status: 204 });

// The arguments as JavaScript gives them, without types.
const make = (...given: unknown[]): unknown => Reflect.apply(contract, undefined, given);

test.each([
  ['a file name', ['openapi.yaml'], 'This is no compiled contract.'],
  ['nothing', [], 'This is no compiled contract.'],
  ['an option of another validator', [compiled, { validateResponses: true }], 'no option validateResponses.'],
  ['a misspelt handler', [compiled, { handlers: { getComposr: listComposers } }], 'names getComposr, but'],
  ['a missing handler', [compiled, { handlers: {} }], 'listComposers has no handler.'],
  [
    'checks of no operation',
    [compiled, { checks: { getComposr: () => [] } }],
    'checks names getComposr, but',
  ],
  ['a regular expression to ignore', [compiled, { ignore: /docs/ }], 'The option ignore must be function.'],
  ['a size as text', [compiled, { bodyLimit: '1mb' }], 'The option bodyLimit must be number.'],
  ['null', [compiled, { errors: null }], 'The option errors must be object.'],
  ['a misspelt value', [compiled, { onInvalidResponse: 'of' }], "or 'off'."],
])('refuses %s when the application starts', (_what, given, message) => {
  expect(() => make(...given)).toThrow(message);
});

test('refuses a fetch handler without handlers', () => {
  expect(() => Reflect.apply(fetchHandler, undefined, [compiled, {}])).toThrow('has no handler.');
});

test('accepts a missing handler that a route replaces', () => {
  expect(() => make(compiled, { handlers: {}, unhandled: 'next' })).not.toThrow();
  expect(() => make(compiled, { handlers: { listComposers } })).not.toThrow();
});
