import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckOutcome } from '../../../../scripts/contract/check/check.ts';
import { type Patch, patched } from '../../../../scripts/simulate/planted-faults.ts';
import { copyProject } from '../../../support/copy-project.ts';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/* What `check` reports about this project, in copies with a change. */

/** Creates a copy of the project with a change. */
async function propose(patch: Patch): Promise<string> {
  const folder = join(await temporaryFolder(), 'a copy');
  await copyProject(folder);
  const path = join(folder, patch.file);
  await writeFile(path, patched(await readFile(path, 'utf8'), patch));
  return folder;
}

/** Runs a check in a copy. */
async function check(cwd: string, name: string) {
  const base = resolve('openapi/openapi.yaml');
  const { code, out } = await runCommand(['check', '--only', name, '--base', base, '--json'], { cwd });
  const { outcomes }: { outcomes: CheckOutcome[] } = JSON.parse(out);
  return { code, findings: outcomes.flatMap(({ findings }) => findings) };
}

test('finds differences between service and contract by running the workflows', async () => {
  const present = 'server/features/contacts/present.ts';
  const folder = await propose({ file: present, from: '    avatar: contact.avatar,\n', to: '' });
  const { code, findings } = await check(folder, 'workflows');
  expect(code).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining('lose-an-update, read: '),
      file: 'openapi/workflows/lose-an-update.yaml',
    }),
  );
});

test('names all missing generated files in one finding, and where else they can be, and a stale file', async () => {
  const folder = await temporaryFolder();
  const contract = { openapi: '3.1.0', info: { title: 'Notes', version: '1.0.0' }, paths: {} };
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(contract));
  const missing = await check(folder, 'generated');
  expect(missing.findings.map(({ rule, fix }) => `${rule}: ${fix}`)).toEqual([
    expect.stringMatching(/^generated-missing: .* set out in the settings/),
  ]);
  const generate = () => runCommand(['generate', '--api', 'openapi.json'], { cwd: folder });
  expect(await generate()).toMatchObject({ code: 0 });
  const file = 'generated/types.ts';
  await writeFile(join(folder, file), `\n${await readFile(join(folder, file), 'utf8')}`);
  expect(await check(folder, 'generated')).toMatchObject({
    code: 1,
    findings: [{ rule: 'generated-stale', file, line: 1, fix: expect.stringMatching(/^Run: .*generate/) }],
  });
  await generate();
  expect(await check(folder, 'generated')).toMatchObject({ code: 0, findings: [] });
});
