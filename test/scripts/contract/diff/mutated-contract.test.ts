import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { loadDocument } from '../../../support/documents.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { applyChange, libraryContract } from './contract-changes.ts';
import { mutationsOf } from './mutations.ts';
import { tryMessages } from './try-messages.ts';

const mutations = mutationsOf(libraryContract());
const sample = fc.sample(fc.nat(mutations.length - 1), { numRuns: isLong ? 300 : 6, seed });
const messagesPerChange = isLong ? 2_000 : 300;

/** Rules about what clients rely on besides the messages that they accept. */
const aboutMeaning = [
  'property-removed',
  'property-became-write-only',
  'discriminator-changed',
  'operation-id-changed',
];

const undecided: string[] = [];

test.each(sample.map((index) => ({ index, edits: mutations[index] ?? [] })))(
  'the verdict on mutation $index agrees with messages that both versions try: $edits',
  async ({ edits }) => {
    const { document: before } = await loadDocument(libraryContract());
    const { document: after } = await loadDocument(applyChange(libraryContract(), edits));
    const found = await compareContracts(before, after, '2026-11-28');
    const breaks = await tryMessages(before, after, messagesPerChange, seed);
    const listed = JSON.stringify([found.breaking, found.undecided]);
    if (breaks.length > 0) expect(found.breaking.length, `${breaks[0]}\n${listed}`).toBeGreaterThan(0);
    else if (found.breaking.length === 0 && found.undecided.length > 0) undecided.push(JSON.stringify(edits));
    // What no message showed must have been seen by the check itself, or be about what no message can show.
    for (const { rule, proof } of found.breaking)
      if (!aboutMeaning.includes(rule)) expect(proof.kind, listed).not.toBe('none');
  },
  60_000,
);

test.runIf(isLong)('at most 5 % of the mutations are undecided', () => {
  expect(undecided.length, undecided.join('\n')).toBeLessThanOrEqual(sample.length / 20);
});
