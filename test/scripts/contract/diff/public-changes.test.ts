import { expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { loadDocument } from '../../../support/load-document.ts';
import { readYaml } from '../../../support/read-yaml.ts';
import { isLong } from '../../../support/sampling.ts';
import { type OneOperation, oneOperation } from './one-operation.ts';

type Verdict = 'breaking' | 'compatible';

/** Two versions of a contract, made after a public report about a tool that compares contracts. */
type PublicChange = { [verdict in Verdict]?: string } & { base: OneOperation; revision: OneOperation };

const changes: PublicChange[] = readYaml(import.meta.dirname, 'labelled-changes/public-changes.yaml');

// `npm test` compares only every sixth pair. `npm run test:long` compares all.
const sample = changes
  .filter((_, index) => isLong || index % 6 === 0)
  .map((change) => ({ ...change, name: change.breaking ?? change.compatible }));

test.each(sample)('$name', async ({ base, revision, breaking }) => {
  const before = await loadDocument(oneOperation(base));
  const after = await loadDocument(oneOperation(revision));
  const found = await compareContracts(before.document, after.document, '2026-11-28');
  const real = found.breaking.filter(({ plannedRemoval }) => plannedRemoval?.state !== 'due');
  const listed = JSON.stringify([real, found.undecided], null, 1);
  expect(real.length > 0, listed).toBe(breaking !== undefined);
  if (breaking === undefined) expect(found.undecided, listed).toEqual([]);
});
