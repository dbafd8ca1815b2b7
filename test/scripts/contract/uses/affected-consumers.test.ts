import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import type { BreakingChange } from '../../../../scripts/contract/diff/contract-diff.ts';
import { judgeConsumer } from '../../../../scripts/contract/uses/affected-consumers.ts';
import { collectUses } from '../../../../scripts/contract/uses/collect-uses.ts';
import type { Place, UsesManifest } from '../../../../scripts/contract/uses/manifest.ts';
import { readProject } from '../../../../scripts/contract/uses/read-project.ts';
import { sampledGuides } from '../../../../scripts/guide-samples/guide-samples.ts';
import { inboxFiles, sampleFiles } from '../../../../scripts/guide-samples/sample-files.ts';
import { once, oncePer } from '../../../../scripts/lib/once.ts';
import { readYaml } from '../../../support/documents.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';
import { applyChange, type Edit } from '../diff/contract-changes.ts';
import { readersProject } from '../docs/reader-project.ts';
import { folderOf, writeConsumer } from './consumer-project.ts';

/** A change of the contract, with the consumers that it breaks. */
interface LabelledChange {
  edit: Edit;
  breaks: string[];
}
const labelled: Record<'changes' | 'removals', LabelledChange[]> = readYaml(
  import.meta.dirname,
  'labelled-changes.yaml',
);

/** The source files of each consumer. The last three are programs with another purpose. */
const sources: Record<string, Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(filesIn(join(import.meta.dirname, 'consumers'))).map(([file, text]) => [
      basename(file, '.ts'),
      { [file]: text },
    ]),
  ),
  inbox: { ...inboxFiles(), ...sampleFiles(sampledGuides().filter(({ name }) => name === 'react')) },
  receiver: sampleFiles(
    sampledGuides().map((guide) => ({
      ...guide,
      samples: guide.samples.filter(({ role, language }) => role === 'receiver' && language === 'ts'),
    })),
  ),
  console: filesIn('scripts/contract/docs/browser'),
};
const consumers = Object.keys(sources);
const contract: object = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));

let whole: UsesManifest;
beforeAll(async () => {
  const files = consumers.map((name) => folderOf(`src/${name}`, sources[name] ?? {}));
  const project = await writeConsumer(await readersProject(afterAllTests), Object.assign({}, ...files));
  whole = collectUses(readProject(project), '').manifest;
});

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** The consumers do not import each other, so the uses of each are those in its folder. */
const manifestOf = oncePer((consumer: string): UsesManifest => {
  const isOwn = (at: Place) => at.startsWith(`src/${consumer}/`);
  const isUsed = (use: { at?: Place | Place[] } | Place) =>
    typeof use === 'string' || use.at === undefined || [use.at].flat().some(isOwn);
  const own: UsesManifest = JSON.parse(JSON.stringify(whole), (key, value) => {
    if (!Array.isArray(value)) return value;
    return value.filter(key === 'at' || key === 'validatesEvents' ? isOwn : isUsed);
  });
  return { ...own, consumer };
});

/** Returns the findings that an edit has caused. A finding in a shared schema names it and its properties. */
function findingsOf(change: LabelledChange, findings: readonly BreakingChange[]): BreakingChange[] {
  const [edit] = change.edit;
  const [, schema, property = ''] = /^(\w+)\/properties\/(\w+)$/.exec(edit) ?? [];
  return findings.filter(({ base, revision, affected }) =>
    schema === undefined
      ? [base?.pointer, revision?.pointer].some(
          (pointer) => pointer === edit || pointer?.startsWith(`${edit}/`),
        )
      : affected.schema === schema && affected.properties.includes(property),
  );
}

const compareWith = (changes: readonly LabelledChange[]) => {
  const edits = changes.map(({ edit }) => edit);
  return compareContracts(contract, applyChange(contract, edits), '2026-11-25');
};
const comparedChanges = once(() => compareWith(labelled.changes));

async function judge(
  changes: readonly LabelledChange[],
  { breaking, undecided }: Awaited<ReturnType<typeof compareWith>>,
) {
  const missed: string[] = [];
  const alarms: string[] = [];
  const unreported: string[] = [];
  for (const change of changes) {
    const name = change.edit.join(' ');
    const findings = findingsOf(change, [...breaking, ...undecided]);
    if (findings.length === 0) unreported.push(name);
    for (const consumer of consumers) {
      const verdicts = findings.map((finding) => judgeConsumer(finding, manifestOf(consumer)));
      const mayBreak = verdicts.some((verdict) => verdict.mayBreak);
      const breaks = change.breaks.includes(consumer);
      if (breaks && !mayBreak) missed.push(`${name}: ${consumer}`);
      if (!breaks && mayBreak)
        alarms.push(`${name}: ${consumer} ${verdicts.flatMap(({ places }) => places).join(' ')}`);
    }
  }
  const pairs = changes.length * consumers.length;
  const affected = changes.reduce((sum, { breaks }) => sum + breaks.length, 0);
  return { missed, alarms, unreported, unaffected: pairs - affected };
}

test('misses no consumer that a change breaks, and clears at least 90 % of the others', async () => {
  const all = [
    await judge(labelled.changes, await comparedChanges()),
    await judge(labelled.removals, await compareWith(labelled.removals)),
  ];
  expect(all.flatMap(({ unreported }) => unreported)).toEqual([]);
  expect(all.flatMap(({ missed }) => missed)).toEqual([]);
  const alarms = all.flatMap((each) => each.alarms);
  const unaffected = all.reduce((sum, each) => sum + each.unaffected, 0);
  expect(alarms.length / unaffected, alarms.join('\n')).toBeLessThan(0.1);
});

test('a deployed receiver rejects changed events until it is built again, also if it does not use the change', async () => {
  const change = labelled.changes.find(({ edit: [at] }) => at.endsWith('/avatar')) ?? expect.fail();
  const found = findingsOf(change, (await comparedChanges()).breaking);
  const verdictOf = (consumer: string) => found.map((each) => judgeConsumer(each, manifestOf(consumer)));
  expect(verdictOf('receive-contacts')).toEqual([
    { mayBreak: false, places: [], deployed: ['src/receive-contacts/receive-contacts.ts:10'] },
  ]);
  expect(verdictOf('receive-messages')).toEqual([{ mayBreak: false, places: [], deployed: undefined }]);
});

test('a new error code affects the consumers that read codes, and not all that call the operation', () => {
  const uses = ['GET /api/v1/contacts/{id}', 'POST /api/v1/contacts', 'PUT /api/v1/contacts/{id}'].map(
    (operation) => ({
      operation,
      direction: 'responses' as const,
      location: `${operation} 404 application/json`,
    }),
  );
  const change = {
    rule: 'enum-values-added',
    affected: { schema: 'ErrorCode', properties: [], uses },
    base: undefined,
    property: undefined,
  };
  const affected = consumers.filter((name) => judgeConsumer(change, manifestOf(name)).mayBreak);
  expect(affected).toEqual(['contact-import', 'inbox']);
  const retyped = { ...change, rule: 'schema-type-changed' };
  const all = consumers.filter((name) => judgeConsumer(retyped, manifestOf(name)).mayBreak);
  expect(all).toEqual(expect.arrayContaining(['contact-import', 'custom-fields', 'rename-contact', 'inbox']));
});

test('a change that concerns nothing known may break every consumer', () => {
  const affected = { schema: undefined, properties: [], uses: [] };
  const change = { rule: 'a rule of the future', affected, base: undefined, property: undefined };
  for (const consumer of consumers) expect(judgeConsumer(change, manifestOf(consumer)).mayBreak).toBe(true);
});
