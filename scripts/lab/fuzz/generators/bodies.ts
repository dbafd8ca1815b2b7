import { asJson, type FuzzGenerator, rawRequest } from '../generator.ts';

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
