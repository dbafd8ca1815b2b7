import { listPaths } from '../contract-paths.ts';
import { type FuzzGenerator, rawRequest } from '../generator.ts';

const names = [
  'page',
  'per_page',
  'order',
  'include_anonymous',
  'from_date',
  'query',
  '__proto__',
  'constructor',
  'page[]',
  'page[$gt]',
  'toString',
  'x',
];
const values = [
  ...[
    '0',
    '1',
    '20',
    '-1',
    '-0',
    '1e1',
    '1e999',
    '0x1',
    '1.5',
    '9007199254740993',
    '',
    '%20',
    'NaN',
    'Infinity',
  ],
  ...[
    'asc',
    'desc',
    'true',
    'false',
    'null',
    '%00',
    '%f0%9f%98%80',
    '%ed%a0%80',
    '[]',
    '{}',
    '2026-02-30',
    'a'.repeat(300),
  ],
];

/** Repeated parameters, arrays, objects, and invalid numbers. */
export const parameterGenerator: FuzzGenerator = {
  name: 'parameters',
  what: 'unknown, repeated, nested and unusual query parameters',
  attempt(prng, { token }) {
    const count = 1 + prng.below(5);
    const pairs = Array.from({ length: count }, () => `${prng.oneOf(names)}=${prng.oneOf(values)}`);
    return {
      bytes: rawRequest(`GET ${prng.oneOf(listPaths)}?${pairs.join('&')}`, { token }),
      right: [200, 400, 404, 422],
    };
  },
};
