import { expect, test } from 'vitest';
import { parsePrefer } from '../../../../scripts/contract/mock/prefer.ts';

const none = { code: undefined, exampleKey: undefined, dynamic: undefined, seed: undefined };

test.each([
  ['code=404', { code: 404 }],
  ['Code = 404, EXAMPLE="Empty page"', { code: 404, exampleKey: 'Empty page' }],
  ['code=404; foo, code=500', { code: 404 }],
  ['example="a, b";bar="x, y", wait=7', { exampleKey: 'a, b' }],
  ['example="a; code=500"', { exampleKey: 'a; code=500' }],
  ['dynamic=true, seed=7', { dynamic: true, seed: '7' }],
  ['wait=2', {}],
])('reads the preferences in Prefer: %s', (prefer, found) => {
  expect(parsePrefer(prefer)).toEqual({ ...none, ...found });
});

test.each(['code=40', 'code=true', 'dynamic=yes', 'code='])('refuses Prefer: %s', (prefer) => {
  expect(() => parsePrefer(prefer)).toThrow('Prefer must have a status code of three digits');
});
