import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPatternSubset } from '../../../../scripts/contract/diff/pattern-subset.ts';

test.each([
  ['^[a-z]+$', '^[a-z]{1,}$'],
  ['^[a-z]{1,}$', '^[a-z]+$'],
  ['^[a-z]+$', '^.*$'],
  ['^\\d{13}$', '^[0-9]+$'],
  ['^a', 'a'],
  ['^a$|^b$', '^[ab]$'],
  ['^a|b$', 'a|b'],
  ['^\\p{Lu}$', '^\\p{L}$'],
  ['x', ''],
])('every text of %s matches %s', (one, other) => {
  expect(isPatternSubset(one, other)).toBe(true);
  const [inner, outer] = [new RegExp(one, 'u'), new RegExp(other, 'u')];
  fc.assert(fc.property(fc.stringMatching(inner), (text) => outer.test(text)));
});

test.each([
  ['^.*$', '^[a-z]+$', 'another text matches'],
  ['', '^.*$', 'a line break does not match'],
  ['a', '^a', 'the text stands elsewhere'],
  ['^(a|b)$', '^a$', 'one alternative does not match'],
  ['\\ba', 'a', 'the assertion is inside'],
])('%s is not proven to be within %s: %s', (one, other) => {
  expect(isPatternSubset(one, other)).toBe(false);
});

test('a pattern that needs an automaton of exponential size is not compared', () => {
  expect(isPatternSubset('^b$', '^(?:(?:a|b)*a(?:a|b){25})$')).toBe(false);
  expect(isPatternSubset('^a+$', '^[a-z]{1,100000}$')).toBe(false);
});
