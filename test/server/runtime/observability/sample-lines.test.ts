import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSampler } from '../../../../server/runtime/observability/sample-lines.ts';
import { seed } from '../../../support/sampling.ts';

/** Returns the weights of the lines that are written in each second. @param rates the number of lines in each second */
function weightsOf(rates: readonly number[]): number[][] {
  const clock = { now: 0 };
  const sample = createLineSampler(() => clock.now);
  return rates.map((rate, second) => {
    const weights: number[] = [];
    for (let line = 0; line < rate; line += 1) {
      clock.now = second * 1_000 + (line * 1_000) / rate;
      const weight = sample();
      if (weight !== undefined) weights.push(weight);
    }
    return weights;
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

test('writes every line up to 100 per second, and about 100 of more', () => {
  const weights = weightsOf([100, 100, 5_000, 5_000, 5_000, 50, 50]);
  expect(weights.map(({ length }) => length)).toEqual([100, 100, 5_000, 100, 100, 1, 50]);
  expect(new Set(weights[4])).toEqual(new Set([50]));
});

test('the weights count every line, except those since the last written one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { minLength: 1, maxLength: 8 }), (rates) => {
      const counted = sum(weightsOf(rates).flat());
      expect(counted).toBeLessThanOrEqual(sum(rates));
      expect(sum(rates) - counted).toBeLessThan(Math.max(1, Math.max(...rates) / 100 + 1));
    }),
    { seed },
  );
});
