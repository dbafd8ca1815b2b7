import { expect, onTestFinished, test } from 'vitest';
import { corpusInputs } from '../../../scripts/lab/fuzz/corpus.ts';
import { sendInputs, startTargetService } from '../../../scripts/lab/fuzz/fuzz-service.ts';
import { mutatedInputs } from '../../../scripts/lab/fuzz/mutated-inputs.ts';
import { createPrng } from '../../../scripts/lib/prng.ts';
import { onPostgres } from '../../support/databases.ts';
import { isLong, seed } from '../../support/sampling.ts';
import { startService } from '../../support/service.ts';

async function startTarget() {
  const { base, company, errors } = await startService();
  const { token } = await company.token();
  const conversation = await company.conversation({ caller_id: await company.contact() });
  return {
    at: { port: Number(new URL(base).port), token },
    target: { token, conversationId: conversation.id },
    errors,
  };
}

test('each request of the fuzz corpus gets the expected response', async () => {
  const { at, target, errors } = await startTarget();
  const inputs = corpusInputs(target);
  const { wrong, readBack } = await sendInputs(inputs, at);
  expect(wrong).toEqual([]);
  expect(readBack).toBe(inputs.filter(({ stored }) => stored).length);
  expect(errors).toEqual([]);
});

test('random mutations of valid requests get only correct responses', async () => {
  const { at, target, errors } = await startTarget();
  const { wrong } = await sendInputs(mutatedInputs(target, 240, createPrng(20_261_122)), at);
  expect(wrong).toEqual([]);
  expect(errors).toEqual([]);
});

/** Maximum growth of the heap in bytes, measured after the caches are full. */
const maxGrown = 8 * 1_048_576;

test.runIf(isLong && !onPostgres)(
  'a process that gets 100,000 mutated requests returns only correct responses, and needs no more memory',
  async () => {
    const { port, target, lives, heap, close } = await startTargetService();
    onTestFinished(close);
    const sendMutated = (count: number, ownSeed: number) =>
      sendInputs(mutatedInputs(target, count, createPrng(ownSeed)), { port, token: target.token });
    // Loads the code and fills the caches before the heap is measured.
    await sendMutated(2_000, seed + 1);
    const before = await heap();
    const { wrong } = await sendMutated(100_000, seed);
    expect([wrong, lives()], `seed ${seed}`).toEqual([[], true]);
    expect((await heap()) - before, `seed ${seed}`).toBeLessThan(maxGrown);
  },
  7_200_000,
);
