import { expect, test } from 'vitest';
import { corpusGenerator, fuzzCorpus } from '../../../scripts/lab/fuzz/corpus.ts';
import { fuzzGenerators } from '../../../scripts/lab/fuzz/generators.ts';
import { runGenerator } from '../../../scripts/lab/fuzz/run-generator.ts';
import { startService } from '../../support/service.ts';

async function target() {
  const { base, company, errors } = await startService();
  const { token } = await company.token();
  const conversation = await company.conversation({ caller_id: await company.contact() });
  return {
    port: Number(new URL(base).port),
    target: { token, conversationId: conversation.id },
    faults: errors,
  };
}

test('each request of the fuzz corpus gets the expected response', async () => {
  const { faults: errors, ...at } = await target();
  const tried = await runGenerator(
    corpusGenerator(),
    { ...at, attempts: fuzzCorpus.length, seed: 1 },
    () => {},
  );
  expect(tried.wrong).toEqual([]);
  expect(tried.readBack).toBe(fuzzCorpus.filter(([, , , stored]) => stored).length);
  expect(errors).toEqual([]);
});

test.each(fuzzGenerators)(
  'requests of the fuzz generator $kind.name get only correct responses',
  async ({ kind }) => {
    const { faults: errors, ...at } = await target();
    const tried = await runGenerator(kind, { ...at, attempts: 60, seed: 20_261_122 }, () => {});
    expect(tried.wrong).toEqual([]);
    expect(errors).toEqual([]);
  },
);
