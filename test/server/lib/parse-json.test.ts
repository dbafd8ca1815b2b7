import { expect, test } from 'vitest';
import { maxDepth, parseJson } from '../../../server/lib/parse-json.ts';

const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

test('parses JSON with as many nested levels as the limit, and no more', () => {
  expect(parseJson(nested(maxDepth))).toEqual(JSON.parse(nested(maxDepth)));
  expect(() => parseJson(nested(maxDepth + 2))).toThrow(`more than ${maxDepth} levels deep`);
});

test('ignores brackets inside texts', () => {
  const text = JSON.stringify({ '[["\\': '[{\\"'.repeat(2_000), b: ['\\', '['.repeat(2_000)] });
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('counts only brackets that are open', () => {
  expect(parseJson(`[${'[],{},'.repeat(2_000)}1]`)).toHaveLength(4_001);
});
