import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
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

/** All rules of Redocly. The configuration of the project cannot turn one off: a pull request could change it. */
const configuration = JSON.stringify({ extends: ['diff-recommended'], telemetry: 'off' });

/**
 * Lists the differences between two contracts with `redocly diff`. Its process starts before the function returns.
 * @param before the old contract, a bundled OpenAPI 3.1 document
 * @param after the new contract
 * @throws Error if Redocly cannot compare the contracts
 */
export async function listChanges(before: object, after: object): Promise<ListedChange[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-changes-'));
  try {
    const at = (name: string) => join(folder, name);
    const [base, revision, report, config] = [
      at('base.json'),
      at('revision.json'),
      at('report.json'),
      at('redocly.yaml'),
    ];
    writeFileSync(config, configuration);
    // A contract may have webhooks only, without `paths`.
    writeFileSync(base, JSON.stringify({ paths: {}, ...withoutReferencesInData(before) }));
    writeFileSync(revision, JSON.stringify({ paths: {}, ...withoutReferencesInData(after) }));
    const { errors } = await runRedocly([
      'diff',
      base,
      revision,
      '--config',
      config,
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
    return changes.map(withPlainPointers);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withPlainPointers(change: ListedChange): ListedChange {
  const { base, revision, verdicts, property = '' } = change;
  // These keywords reject no value, so that the values of the schema neither show nor refute the change.
  const isOfContent = /^content(Encoding|MediaType)$/.test(property);
  return {
    ...change,
    verdicts: isOfContent ? verdicts.map((each) => ({ ...each, ruleId: 'content-changed' })) : verdicts,
    path: withoutMapping(plain(change.path), base?.pointer, revision?.pointer),
    ...(base ? { base: { ...base, pointer: plain(base.pointer) } } : {}),
    ...(revision ? { revision: { ...revision, pointer: plain(revision.pointer) } } : {}),
  };
}

/**
 * Redocly follows the mapping of a discriminator as it follows references. A change within the mapped schema is no
 * change of the mapping, so its path becomes that of the schema.
 */
function withoutMapping(path: string, base = '', revision = ''): string {
  const [, within = ''] = /^.*\/discriminator\/mapping\/[^/]+(.*)$/.exec(path) ?? [];
  const [old, next] = [base, revision].map((pointer) => /\/components\/schemas\/[^/]+/.exec(pointer)?.[0]);
  return path.includes('/discriminator/mapping/') && old !== undefined && old === next
    ? plain(old) + within
    : path;
}

const plain = (fragment: string): string =>
  pointerTokens(fragment)
    .map((step) => `/${escapePointer(step)}`)
    .join('');
