import type { Chance } from '../../../lib/prng.ts';
import { asJson, type Kind, request, utf8 } from '../generator.ts';

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

function value(chance: Chance, depth: number): string {
  const kind = depth > 4 ? 0 : chance.below(6);
  if (kind === 4) return `[${many(chance, depth, (each) => value(chance, each))}]`;
  if (kind === 5) return object(chance, depth);
  return chance.oneOf(scalars);
}

function many(chance: Chance, depth: number, one: (depth: number) => string): string {
  return Array.from({ length: chance.below(5) }, () => one(depth + 1)).join(',');
}

const object = (chance: Chance, depth: number): string =>
  `{${many(chance, depth, (each) => `"${chance.oneOf(names)}":${value(chance, each)}`)}}`;

/** JSON that is deep, wide, odd, or none. */
export const bodies: Kind = {
  name: 'bodies',
  what: 'odd values and names in JSON, and what is no JSON',
  attempt(chance, { token }) {
    const body = utf8(chance.below(3) === 0 ? value(chance, 0) : object(chance, 0));
    const path = chance.oneOf(['/api/v1/contacts', '/api/v1/messages', '/api/v1/webhooks']);
    return {
      bytes: request(`POST ${path}`, { token, headers: [asJson], body }),
      right: [201, 400, 422],
    };
  },
};

/** Depth and width up to the limit of a body. */
export const largeBodies: Kind = {
  name: 'large bodies',
  what: 'JSON of half a million levels, of many thousand names, and larger than the limit',
  attempt(chance, { token }) {
    const count = 1 + chance.below(chance.oneOf([1_000, 100_000, 500_000]));
    const body = chance.oneOf([
      () => '['.repeat(count) + ']'.repeat(count),
      () => '{"a":'.repeat(Math.min(count, 200_000)),
      () => `{"first_name":"${'a'.repeat(2 * count)}"}`,
      () => `{${Array.from({ length: Math.min(count, 50_000) }, (_, at) => `"${at}":0`).join(',')}}`,
      () => `{"fields":[${Array(Math.min(count, 60_000)).fill('{"id":1,"value":"x"}').join(',')}]}`,
    ])();
    return {
      bytes: request('POST /api/v1/contacts', { token, headers: [asJson], body }),
      right: body.length > 1_048_576 ? [413] : [201, 400, 422],
    };
  },
};
