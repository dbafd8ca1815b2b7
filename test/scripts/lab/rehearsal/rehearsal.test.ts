import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyRehearsal } from '../../../../scripts/lab/rehearsal/apply-rehearsal.ts';
import { mistakes } from '../../../../scripts/lab/rehearsal/mistakes.ts';
import { copyProject } from '../../../../scripts/lib/project-copy.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

// `npm run test:rehearsal` also runs the gates that must detect the mistakes.
test('the rehearsal patch and the mistakes apply to the current source', async () => {
  const folder = join(await temporaryFolder(), 'a copy');
  await copyProject(folder, ['client', 'openapi', 'server', 'test', 'package.json', 'package-lock.json']);
  await applyRehearsal(folder);
  const patches = mistakes.flatMap((mistake) => mistake.patches);
  // The new migration gets its number only when the rehearsal is applied, so its patch (`0000-`) is skipped.
  for (const { file, from } of patches.filter((patch) => !patch.file.includes('/0000-'))) {
    const text = await readFile(join(folder, file), 'utf8');
    expect(
      typeof from === 'string' ? text.includes(from) : from.test(text),
      `${file} does not contain this text of scripts/lab/rehearsal/mistakes.ts, so correct it there: ${from}`,
    ).toBe(true);
  }
});
