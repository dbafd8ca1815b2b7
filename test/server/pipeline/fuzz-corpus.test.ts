import { expect, test } from 'vitest';
import { handPicked, handPickedKind } from '../../../scripts/lab/fuzz/corpus.ts';
import { kinds } from '../../../scripts/lab/fuzz/generators.ts';
import { tryKind } from '../../../scripts/lab/fuzz/run-generator.ts';
import { startService } from '../../support/service.ts';

async function target() {
  const { base, company, faults } = await startService();
  const { token } = await company.token();
  const conversation = await company.conversation({ caller_id: await company.contact() });
  return { port: Number(new URL(base).port), target: { token, conversationId: conversation.id }, faults };
}

test('each abuse that somebody has thought of has the one right answer', async () => {
  const { faults, ...at } = await target();
  const tried = await tryKind(handPickedKind(), { ...at, attempts: handPicked.length, seed: 1 }, () => {});
  expect(tried.wrong).toEqual([]);
  expect(tried.givenBack).toBe(4);
  expect(faults).toEqual([]);
});

test.each(kinds)('generated abuse of $kind.name has right answers only', async ({ kind }) => {
  const { faults, ...at } = await target();
  const tried = await tryKind(kind, { ...at, attempts: 60, seed: 20_261_122 }, () => {});
  expect(tried.wrong).toEqual([]);
  expect(faults).toEqual([]);
});
