import type { Prng } from '../../../lib/prng.ts';
import { createPaths } from '../contract-paths.ts';
import { asJson, type FuzzGenerator, rawRequest, utf8 } from '../generator.ts';

const scalars = [
  ...[
    'null',
    'true',
    '-0',
    '1e999',
    '-1e999',
    '1e-999',
    '9007199254740993',
    '18446744073709551616',
    '0.1',
    '1E400',
  ],
  ...[
    '"Ada"',
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ud83d\\ude00"',
    '"\\u200b"',
    '01',
    '+1',
    '.5',
    "'a'",
  ],
  ...['NaN', 'Infinity', 'undefined', '"a', '"\t"', '"\\x"', '/* */ 1', '1,', '\ufeff1'],
];
const names = [
  'first_name',
  'last_name',
  'email_address',
  'fields',
  'status',
  '__proto__',
  'constructor',
  'prototype',
  'id',
  'company_id',
  '',
  '\\u0000',
  'toString',
];

function value(prng: Prng, depth: number): string {
  const kind = depth > 4 ? 0 : prng.below(6);
  if (kind === 4) return `[${many(prng, depth, (each) => value(prng, each))}]`;
  if (kind === 5) return object(prng, depth);
  return prng.oneOf(scalars);
}

function many(prng: Prng, depth: number, one: (depth: number) => string): string {
  return Array.from({ length: prng.below(5) }, () => one(depth + 1)).join(',');
}

const object = (prng: Prng, depth: number): string =>
  `{${many(prng, depth, (each) => `"${prng.oneOf(names)}":${value(prng, each)}`)}}`;

/** Bodies with unusual JSON values and property names, and invalid JSON. */
export const bodyGenerator: FuzzGenerator = {
  name: 'bodies',
  what: 'unusual JSON values and names, and invalid JSON',
  attempt(prng, { token }) {
    const body = utf8(prng.below(3) === 0 ? value(prng, 0) : object(prng, 0));
    const path = prng.oneOf(createPaths);
    return {
      bytes: rawRequest(`POST ${path}`, { token, headers: [asJson], body }),
      right: [201, 400, 422],
    };
  },
};

/** Very deep, wide or long JSON, up to and beyond the maximum size of a body. */
export const largeBodyGenerator: FuzzGenerator = {
  name: 'large bodies',
  what: 'JSON with half a million levels, with many thousand names, and larger than the limit',
  attempt(prng, { token }) {
    const count = 1 + prng.below(prng.oneOf([1_000, 100_000, 500_000]));
    const body = prng.oneOf([
      () => '['.repeat(count) + ']'.repeat(count),
      () => '{"a":'.repeat(Math.min(count, 200_000)),
      () => `{"first_name":"${'a'.repeat(2 * count)}"}`,
      () => `{${Array.from({ length: Math.min(count, 50_000) }, (_, at) => `"${at}":0`).join(',')}}`,
      () => `{"fields":[${Array(Math.min(count, 60_000)).fill('{"id":1,"value":"x"}').join(',')}]}`,
    ])();
    return {
      bytes: rawRequest('POST /api/v1/contacts', { token, headers: [asJson], body }),
      right: body.length > 1_048_576 ? [413] : [201, 400, 422],
    };
  },
};
