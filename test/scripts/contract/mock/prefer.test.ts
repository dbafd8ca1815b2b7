import { getHttpConfigFromRequest } from '@stoplight/prism-http-server/dist/getHttpConfigFromRequest.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePrefer, selectsResponse } from '../../../../scripts/contract/mock/prefer.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';

function prismReads(prefer: string): unknown {
  const read = getHttpConfigFromRequest({ url: { path: '/' }, headers: { prefer } });
  return 'left' in read ? 'invalid' : { seed: undefined, ...read.right };
}

function weRead(prefer: string): unknown {
  try {
    return parsePrefer(prefer);
  } catch {
    return 'invalid';
  }
}

const names = ['code', 'example', 'dynamic', 'seed', 'wait', 'Code', 'EXAMPLE'];
const values = ['404', '40', 'true', 'false', 'yes', 'Empty page', 'a=b', '7'];
const text = fc.oneof(
  fc.constantFrom(...values),
  fc.constantFrom(...values, 'a, b', 'a; code=500', '').map((value) => `"${value}"`),
);
const preference = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom('', ' '),
    text,
    fc.constantFrom('', '; foo', ';bar="x, y"'),
  )
  .map(([name, space, value, parameters]) => `${name}${space}=${space}${value}${parameters}`);
const header = fc.array(preference, { maxLength: 4 }).map((all) => all.join(', '));

test('the Prefer header is read as Prism reads it', () => {
  fc.assert(
    fc.property(header, (prefer) => {
      expect(weRead(prefer), prefer).toEqual(prismReads(prefer));
    }),
    { numRuns: sampleCount(500), seed },
  );
});

test('only code, example and dynamic select another response', () => {
  expect(['code=404', 'wait=1, example="x"', 'DYNAMIC=true'].map(selectsResponse)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['', 'wait=1', 'x="code=404"', 'count=exact'].map(selectsResponse)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
