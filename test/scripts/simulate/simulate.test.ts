import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPlan } from '../../../scripts/simulate/plan.ts';
import { patched, plantedFaults } from '../../../scripts/simulate/planted-faults.ts';
import type { SeedResult } from '../../../scripts/simulate/run-seeds.ts';
import { runThreads, type SimulationReport } from '../../../scripts/simulate/run-threads.ts';
import { runCommand } from '../../support/run-command.ts';
import { isLong } from '../../support/sampling.ts';

const minute = 60_000;
const lastSeed = 999_999_999;

/** Seeds whose simulations together have every kind of fault, of operator step and of receiver. */
const sample = { from: 45_247, to: 45_251 };

function kindsOf({ from, to }: typeof sample): Set<string> {
  const plans = Array.from({ length: to - from + 1 }, (_, at) => createPlan(from + at));
  return new Set(
    plans.flatMap(({ processes, faults, operator, receivers }) => [
      ...[`${processes} processes`, faults.length + operator.length === 0 ? 'no events' : 'events'],
      ...[...faults, ...operator].map(({ kind }) => kind),
      ...receivers.flat(),
    ]),
  );
}

test('no rule is broken, and a seed has the same history in each process', async () => {
  expect(kindsOf(sample)).toEqual(kindsOf({ from: 1, to: 500 }));
  const third = sample.from + 2;
  const results = new Map<number, SeedResult>();
  const onResult = (result: SeedResult) => void results.set(result.seed, result);
  const [report, again] = await Promise.all([
    runThreads({ ...sample, maxMs: 10 * minute, jobs: 1, onResult }),
    runThreads({ from: third, to: third, maxMs: minute, jobs: 1 }),
  ]);
  expectNoViolation(report);
  expect(report.seeds).toBe(sample.to - sample.from + 1);
  expect(results.get(third)?.history.length).toBeGreaterThan(20);
  expect(again.last).toEqual(results.get(third));
});

test.runIf(isLong)(
  'no rule is broken in simulations with seeds that differ in each run',
  async () => {
    const from = 1_000_000 + (Date.now() % 900_000_000);
    expectNoViolation(await runThreads({ from, to: lastSeed, maxMs: 20 * minute, jobs: 2 }));
  },
  40 * minute,
);

function expectNoViolation({ failure }: SimulationReport): void {
  const told = failure && [`Seed ${failure.seed}: ${failure.violation?.message}`, ...failure.history];
  expect(told?.join('\n')).toBeUndefined();
}

test('the source contains the text of each planted fault once', () => {
  for (const [name, fault] of Object.entries(plantedFaults))
    expect(() => patched(readFileSync(fault.file, 'utf8'), fault), name).not.toThrow();
});

// One that is found fast; `npm run test:long` plants all of them.
test.each(
  isLong ? Object.keys(plantedFaults) : ['a newer event overtakes an older one about the same contact'],
)(
  'finds and explains that %s',
  async (fault) => {
    const { failure } = await runThreads({
      from: 1,
      to: lastSeed,
      fault,
      maxMs: minute,
      jobs: isLong ? 2 : 1,
    });
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
