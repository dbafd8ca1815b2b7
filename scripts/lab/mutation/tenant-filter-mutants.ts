import { globSync, readFileSync } from 'node:fs';
import type { Patch } from '../../lib/project-copy.ts';
import type { Mutant } from './mutant.ts';
import { failingTest, type Stage } from './stages.ts';

/*
 * Mutants that each remove one tenant-isolation condition from a query in `server/storage`. They are derived from the
 * source, so new conditions are included.
 */

/** The forms of a condition on `company_id`, each with its replacement. */
const conditions: readonly { written: RegExp; instead: string }[] = [
  { written: /\.where\('(?:\w\.)?company_id', '=', \w+\)/g, instead: '' },
  { written: /\b(?:\w+\.)?company_id = \$\{[\w.]+\}/g, instead: '1 = 1' },
];

// Files without mutants: their queries span companies on purpose, or use a full key.
const others = /schema|migrations|delivery-queue|sqlite\/queue|postgres\/tables|encrypted-columns/;

/** Returns a mutant for each condition on the company. */
export function tenantFilterMutants(): (Mutant & Patch)[] {
  return globSync('server/storage/**/*.ts')
    .filter((file) => !others.test(file))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return conditions.flatMap(({ written, instead }) =>
        Array.from(text.matchAll(written), (match): Mutant & Patch => {
          const { from, before, after } = onceIn(text, match.index, match[0].length);
          const line = text.slice(0, match.index).split('\n').length;
          return {
            name: `${file}:${line} asks for all companies`,
            killedBy: file.includes('/postgres/') ? 'postgres' : 'embedded',
            file,
            from,
            to: `${before}${instead}${after}`,
          };
        }),
      );
    });
}

/** Extends a text until it occurs exactly once in the file. */
function onceIn(text: string, at: number, length: number) {
  for (let around = 0; ; around += 20) {
    const start = Math.max(0, at - around);
    const end = Math.min(text.length, at + length + around);
    const from = text.slice(start, end);
    if (text.split(from).length === 2)
      return { from, before: text.slice(start, at), after: text.slice(at + length, end) };
  }
}

const isolationTests = [
  'test/server/storage/queries/tenant-isolation.test.ts',
  'test/server/contract/tenant-isolation.test.ts',
  'test/server/privacy/',
];
const otherFolders = ['features', 'delivery', 'auth', 'operator'];

/** Returns the checks for a condition: tenant isolation first, then all tests that run the query. */
export function tenantFilterStages({ killedBy }: Mutant): Stage[] {
  const project = killedBy === 'postgres' ? 'postgres' : 'embedded';
  return [
    // These tests also run on PostgreSQL, because some conditions matter only with concurrent transactions.
    ...[...new Set([project, 'postgres'])].map((each) => ({
      name: `companies apart, ${each}`,
      findFailure: (folder: string) => failingTest(folder, each, isolationTests),
    })),
    {
      name: `all that works with them, ${project}`,
      findFailure: (folder) =>
        failingTest(
          folder,
          project,
          otherFolders.map((each) => `test/server/${each}/`),
        ),
    },
  ];
}
