import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyRehearsal } from '../../../../scripts/lab/rehearsal/apply-rehearsal.ts';
import { lint, types } from '../../../../scripts/lab/rehearsal/gates.ts';
import { mistakes } from '../../../../scripts/lab/rehearsal/mistakes.ts';
import { copyProject } from '../../../../scripts/lib/project-copy.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('a resource with a table, an event and a new version applies, and passes types and lint', async () => {
  const folder = join(await temporaryFolder(), 'a copy');
  await copyProject(folder);
  await applyRehearsal(folder);
  expect(await types.findFailure(folder)).toBeUndefined();
  expect(await lint.findFailure(folder)).toBeUndefined();
  const numbered = mistakes.flatMap(({ patches }) => patches).filter(({ file }) => !file.includes('/0000-'));
  for (const { file, from } of numbered) {
    const text = await readFile(join(folder, file), 'utf8');
    expect(typeof from === 'string' ? text.includes(from) : from.test(text), `${file}: ${from}`).toBe(true);
  }
}, 120_000);
