import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { pointerTokens } from '../../lib/json-pointer.ts';
import { runRedocly } from '../../lib/redocly-cli.ts';
import { withoutReferencesInData } from '../load/references-in-data.ts';

export type Impact = 'major' | 'minor' | 'patch';

/** A change listed by `redocly diff`, with plain JSON Pointers. */
export interface ListedChange {
  /** JSON Pointer to the change. It continues through references. */
  path: string;
  /** Redocly's name for the type of object. */
  typeName: string;
  kind: 'added' | 'removed' | 'modified';
  impact: Impact;
  verdicts: { ruleId: string; impact: Impact; message: string }[];
  /** The modified property. */
  property?: string;
  /** Pointer and value in the old contract. */
  base?: { pointer: string; value?: unknown } | undefined;
  /** Pointer and value in the new contract. */
  revision?: { pointer: string; value?: unknown } | undefined;
}

/** A path that is added to the old version only. If its removal is not reported, the comparison has failed. */
const canary = '/canary-of-the-comparison';

/**
 * Lists the differences between two contracts with `redocly diff`.
 * @param before the old contract, a bundled OpenAPI 3.1 document
 * @param after the new contract
 * @param configuration path of Redocly's configuration; if the file does not exist, its recommended rules apply
 * @throws Error if Redocly cannot compare the contracts, or does not report the removal of `canary` as breaking
 */
export async function listChanges(
  before: object,
  after: object,
  configuration = 'redocly.yaml',
): Promise<ListedChange[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-changes-'));
  try {
    const [base, revision, report] = ['base.json', 'revision.json', 'report.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await writeFile(base, JSON.stringify(withCanary(withoutReferencesInData(before))));
    // A contract may have webhooks only, without `paths`.
    await writeFile(revision, JSON.stringify({ paths: {}, ...withoutReferencesInData(after) }));
    const config = existsSync(configuration) ? ['--config', configuration] : [];
    const { errors } = await runRedocly([
      'diff',
      base,
      revision,
      ...config,
      '--format',
      'json',
      '--output',
      report,
      '--fail-on',
      'none',
    ]);
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`redocly diff could not compare the contracts: ${errors.trim()}`);
    });
    const { changes }: { changes: ListedChange[] } = JSON.parse(text);
    const isCanary = ({ path }: ListedChange) => path.includes(canary.replaceAll('/', '~1'));
    if (!changes.some((change) => isCanary(change) && change.impact === 'major'))
      throw new Error(
        'redocly diff finds no breaking change at all: its rules are off.\n  Add diff-recommended to `extends` in redocly.yaml.',
      );
    return changes.filter((change) => !isCanary(change)).map(withPlainPointers);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const withCanary = (document: object & { paths?: object }) => ({
  ...document,
  paths: { ...document.paths, [canary]: { get: { responses: { 204: { description: '' } } } } },
});

function withPlainPointers(change: ListedChange): ListedChange {
  const { base, revision } = change;
  return {
    ...change,
    path: plain(change.path),
    ...(base ? { base: { ...base, pointer: plain(base.pointer) } } : {}),
    ...(revision ? { revision: { ...revision, pointer: plain(revision.pointer) } } : {}),
  };
}

const plain = (fragment: string): string =>
  pointerTokens(fragment)
    .map((step) => `/${escapePointer(step)}`)
    .join('');
