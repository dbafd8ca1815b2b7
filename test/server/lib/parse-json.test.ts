import { expect, test } from 'vitest';
import { parseJson } from '../../../server/lib/parse-json.ts';

// The limit itself is in validator-limits.test.ts.

test('ignores brackets inside texts', () => {
  const text = JSON.stringify({ '[["\\': '[{\\"'.repeat(2_000), b: ['\\', '['.repeat(2_000)] });
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('counts only brackets that are open', () => {
  expect(parseJson(`[${'[],{},'.repeat(2_000)}1]`)).toHaveLength(4_001);
});
