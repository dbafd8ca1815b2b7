import { operations } from '../../../../generated/operations.ts';
import { type FuzzGenerator, rawRequest } from '../generator.ts';

const pieces = [
  ...['%', '%2', '%zz', '%00', '%0a', '%2f', '%5c', '%c0%af', '%e2%82', '%ff', '%ed%a0%80', '%25', '%2e%2e'],
  ...['..', '.', '//', '\\', ';a=b', '*', '?', '??', '%u0041', '~', "'", '"', '[', '{id}', '-1', '0', '1e3'],
  ...[
    '9007199254740993',
    '99999999999999999999',
    '0x10',
    '+1',
    '1.0',
    '\u00e9',
    '\u00ff',
    '1',
    'contacts',
    'search',
  ],
];

/** The paths of GET operations that return one resource, without the ID at the end. */
const resourcePaths = Object.values(operations).flatMap(({ method, path }) =>
  method === 'get' && path.endsWith('{id}') ? [path.slice(0, -'{id}'.length)] : [],
);

/** Invalid and unknown paths. */
export const pathGenerator: FuzzGenerator = {
  name: 'paths',
  what: 'percent-encodings, dots, slashes, numbers and bytes in paths',
  attempt(prng, { token }) {
    const count = 1 + prng.below(4);
    const tail = Array.from({ length: count }, () => prng.oneOf(pieces)).join(prng.oneOf(['', '/']));
    const start = prng.oneOf([...resourcePaths, '/api/', '/', '/docs/']);
    return {
      bytes: rawRequest(`GET ${start}${tail}`, { token }),
      right: [200, 301, 400, 404, 405, 422],
    };
  },
};
