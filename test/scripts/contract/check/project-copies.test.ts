import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import type { CheckOutcome } from '../../../../scripts/contract/check/check.ts';
import { applyPatch, copyProject, type Patch } from '../../../../scripts/lib/project-copy.ts';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/* What `check` reports about this project, in copies with a change. */

/** Creates a copy of the project with a change. */
async function propose(patch: Patch, only: readonly string[] = []): Promise<string> {
  const folder = join(await temporaryFolder(), 'a copy');
  await copyProject(folder, only);
  await applyPatch(folder, patch);
  return folder;
}

/** Runs checks in a copy. @param given names of checks and other options */
async function check(cwd: string, only: readonly string[], ...more: string[]) {
  const base = resolve('openapi/openapi.yaml');
  const ran = await runCommand(['check', '--only', ...only, '--base', base, ...more], { cwd });
  const json = more.includes('--json');
  const { outcomes }: { outcomes: CheckOutcome[] } = json ? JSON.parse(ran.out) : { outcomes: [] };
  return { ...ran, findings: outcomes.flatMap(({ findings }) => findings) };
}

test('reports a breaking change with its line, a counterexample, the operations and the required version', async () => {
  const name = (maxLength: number) =>
    `    Name:\n      type: [string, 'null']\n      maxLength: ${maxLength}\n`;
  const file = 'openapi/contacts.yaml';
  const folder = await propose({ file, from: name(255), to: name(200) }, [
    'generated',
    'openapi',
    'package.json',
    'redocly.yaml',
  ]);
  const report = join(folder, 'report.md');
  const ran = await check(folder, ['changes'], '--api', 'openapi/openapi.yaml', '--markdown', report);
  expect(ran.code, ran.err).toBe(1);
  const line = readFileSync(join(folder, file), 'utf8').split('\n').indexOf('    Name:') + 3;
  expect(ran.out).toContain(`\nerror changes/schema-constraint-changed openapi/contacts.yaml:${line}:7\n`);
  expect(ran.out).toMatch(/maxLength .*changed from '255' to '200'\. \(.*POST \/api\/v1\/contacts/);
  expect(ran.out).toMatch(
    /counterexample: \{"first_name":"a+…\n {6}as POST \/api\/v1\/contacts body application\/json it was valid, and is rejected now/,
  );
  const major = Number(document.info.version.split('.')[0]) + 1;
  expect(ran.out).toContain(`the changes since ${document.info.version} require ${major}.0.0.`);
  expect(readFileSync(report, 'utf8')).toContain(
    `\n### Breaking changes\n\n- ❌ **changes/schema-constraint-changed** \`openapi/contacts.yaml:${line}\``,
  );
});

test('finds differences between service and contract by running the workflows', async () => {
  const present = 'server/features/contacts/present.ts';
  const folder = await propose({ file: present, from: '    avatar: contact.avatar,\n', to: '' });
  const { code, findings } = await check(folder, ['workflows'], '--json');
  expect(code).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining('lose-an-update, read: '),
      file: 'openapi/workflows/lose-an-update.yaml',
    }),
  );
});

test('reports stale generated files', async () => {
  const file = 'generated/enums.ts';
  const [first = ''] = readFileSync(file, 'utf8').split('\n');
  const folder = await propose({ file, from: `${first}\n`, to: '' });
  const { code, findings } = await check(folder, ['generated'], '--json');
  expect(code).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({ rule: 'generated-stale', file, line: 1, fix: 'Run: npm run generate' }),
  );
});

test('names all missing generated files in one finding, and where else they can be', async () => {
  const folder = await temporaryFolder();
  const contract = { openapi: '3.1.0', info: { title: 'Notes', version: '1.0.0' }, paths: {} };
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(contract));
  const { findings } = await check(folder, ['generated'], '--json');
  expect(findings.map(({ rule, fix }) => `${rule}: ${fix}`)).toEqual([
    expect.stringMatching(/^generated-missing: .* set out in the settings/),
  ]);
});
