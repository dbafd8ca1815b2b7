import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { isLong } from '../../../support/sampling.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Two versions of a contract, made after a public report about a tool that compares contracts. */
interface PublicChange {
  name: string;
  source: string;
  /** What changes. */
  kind: string;
  want: 'break' | 'ok';
  base: object;
  revision: object;
}

const changes: PublicChange[] = parse(
  readFileSync(join(import.meta.dirname, 'labelled-changes/public-changes.yaml'), 'utf8'),
);

// `npm test` compares only every sixth pair. `npm run test:long` compares all.
const sample = changes.filter((_, index) => isLong || index % 6 === 0);

test.each(sample)('$name: $kind', async ({ base, revision, want }) => {
  const folder = await temporaryFolder();
  const [before, after] = await Promise.all(
    Object.entries({ base, revision }).map(async ([name, document]) => {
      const file = join(folder, `${name}.json`);
      await writeFile(file, JSON.stringify(document));
      return (await loadContract(file, { onIgnored: () => {} })).document;
    }),
  );
  if (!before || !after) throw new Error('Both versions must be loaded.');
  const found = await compareContracts(before, after, '2026-11-28');
  const breaking = found.breaking.filter(({ plannedRemoval }) => plannedRemoval?.state !== 'due');
  const verdict = breaking.length > 0 ? 'break' : found.undecided.length > 0 ? 'undecided' : 'ok';
  expect(verdict, JSON.stringify([breaking, found.undecided], null, 1)).toBe(want);
});
