import { expect, test } from 'vitest';
import { corpusInputs } from '../../../scripts/lab/fuzz/corpus.ts';
import { mutatedInputs } from '../../../scripts/lab/fuzz/mutated-inputs.ts';
import { sendInputs } from '../../../scripts/lab/fuzz/send-inputs.ts';
import { createPrng } from '../../../scripts/lib/prng.ts';
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
