import { globSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutant.ts';
import { failingTest, type Stage } from './stages.ts';

/*
 * What keeps companies apart: each condition on the company in the source of the storage, left out in turn. They are found
 * in the source, so that none is forgotten that somebody writes tomorrow.
 */

/** How a condition on the company is written, and what stands there when it is left out. */
const conditions: readonly { written: RegExp; instead: string }[] = [
  { written: /\.where\('(?:\w\.)?company_id', '=', \w+\)/g, instead: '' },
  { written: /\b(?:\w+\.)?company_id = \$\{[\w.]+\}/g, instead: '1 = 1' },
];

// Of all companies on purpose, or of a row whose whole key is given, the company with it.
const others = /schema|migrations|delivery-queue|sqlite\/queue|postgres\/tables|encrypted-columns/;

/** Every condition on the company that there is, as a mistake: that it is missing. */
export function tenantFilterMutants(): Mutant[] {
  return globSync('server/storage/**/*.ts')
    .filter((file) => !others.test(file))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return conditions.flatMap(({ written, instead }) =>
        Array.from(text.matchAll(written), (match): Mutant => {
          const { from, before, after } = onceIn(text, match.index, match[0].length);
          const line = text.slice(0, match.index).split('\n').length;
          return {
            name: `${file}:${line} asks for all companies`,
            killedBy: file.includes('/postgres/') ? 'postgres' : 'embedded',
            area: 'storage',
            file,
            from,
            to: `${before}${instead}${after}`,
          };
        }),
      );
    });
}

/** What has to be said with some text so that it stands once in a file. */
function onceIn(text: string, at: number, length: number) {
  for (let around = 0; ; around += 20) {
    const start = Math.max(0, at - around);
    const end = Math.min(text.length, at + length + around);
    const from = text.slice(start, end);
    if (text.split(from).length === 2)
      return { from, before: text.slice(start, at), after: text.slice(at + length, end) };
  }
}

const apart = [
  'test/server/storage/queries/tenant-isolation.test.ts',
  'test/server/contract/tenant-isolation.test.ts',
  'test/server/privacy/',
];
const more = ['features', 'delivery', 'auth', 'operator'];

/** Who has to notice it: first who asks for what others have, then all that work with it. */
export function tenantFilterStages({ killedBy }: Mutant): Stage[] {
  const project = killedBy === 'postgres' ? 'postgres' : 'embedded';
  return [
    // Only where there are locks, and transactions beside each other, some conditions make a difference.
    ...[...new Set([project, 'postgres'])].map((each) => ({
      name: `companies apart, ${each}`,
      findFailure: (folder: string) => failingTest(folder, each, apart),
    })),
    {
      name: `all that works with them, ${project}`,
      findFailure: (folder) =>
        failingTest(
          folder,
          project,
          more.map((each) => `test/server/${each}/`),
        ),
    },
  ];
}
