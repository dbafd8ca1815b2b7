import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { patched } from '../../../scripts/lib/patch.ts';
import { plantedFaults } from '../../../scripts/simulate/planted-faults.ts';
import { runThreads } from '../../../scripts/simulate/run-threads.ts';
import { runCommand } from '../../support/run-command.ts';
import { isLong } from '../../support/sampling.ts';

const minute = 60_000;
const lastSeed = 999_999_999;
/** Seeds that differ in each run. Those below are the same in each. */
const freshSeed = 1_000_000 + (Date.now() % 900_000_000);

test.each([
  ['fixed', 1, isLong ? 10 * minute : 20_000],
  ['fresh', freshSeed, isLong ? 20 * minute : 10_000],
])(
  'no rule is broken in simulations with %s seeds',
  async (_kind, from, maxMs) => {
    const { failure, seeds } = await runThreads({ from, to: lastSeed, maxMs, jobs: isLong ? 2 : 1 });
    const told = failure && [`Seed ${failure.seed}: ${failure.violation?.message}`, ...failure.history];
    expect(told?.join('\n')).toBeUndefined();
    expect(seeds).toBeGreaterThan(0);
  },
  40 * minute,
);

test.each([3, 12, 65])('seed %i has the same history in each process', async (seed) => {
  const run = () => runThreads({ from: seed, to: seed, maxMs: minute, jobs: 1 });
  const [one, other] = await Promise.all([run(), run()]);
  expect(one.last?.history.length).toBeGreaterThan(20);
  expect([one.last?.endedAt, one.last?.history]).toEqual([other.last?.endedAt, other.last?.history]);
});

test('the source contains the text of each planted fault once', () => {
  for (const [name, fault] of Object.entries(plantedFaults))
    expect(() => patched(readFileSync(fault.file, 'utf8'), fault), name).not.toThrow();
});

// Those that are found fastest; `npm run test:long` plants all of them.
const some = [
  'an idempotency key is not claimed',
  'a newer event overtakes an older one about the same contact',
];

test.each(isLong ? Object.keys(plantedFaults) : some)(
  'finds and explains that %s',
  async (fault) => {
    const { failure } = await runThreads({ from: 1, to: lastSeed, fault, maxMs: minute, jobs: 2 });
    expect(failure?.violation?.message).toMatch(/\w/);
    const { history = [], linesBefore = 0 } = failure ?? {};
    // A history of a few lines cannot be shrunk.
    expect(history.length < linesBefore || (linesBefore < 10 && history.length > 0)).toBe(true);
  },
  10 * minute,
);

test('prints the seed and the shrunk history of a failure, and exits with 1', async () => {
  const fault = 'the cursor of a page is off by one';
  const { code, out } = await runCommand(['simulate', '--seeds', '1-20', '--jobs', '1', '--fault', fault]);
  expect(out).toMatch(
    /Seed \d+ breaks the rule "a page walk misses and repeats nothing": client.*\n.*npm run simulate -- --seed \d+ --fault "the cursor of a page is off by one"\n/,
  );
  expect(out).toContain('GET /api/v1/contacts?order=');
  expect(code).toBe(1);
});
