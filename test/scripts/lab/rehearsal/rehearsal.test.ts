import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyRehearsal } from '../../../../scripts/lab/rehearsal/apply-rehearsal.ts';
import { mistakes } from '../../../../scripts/lab/rehearsal/mistakes.ts';
import { copyProject } from '../../../../scripts/lib/project-copy.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

// `npm run test:rehearsal` runs the gates.
test('the resource of the rehearsal and its mistakes apply to the current source', async () => {
  const folder = join(await temporaryFolder(), 'a copy');
  await copyProject(folder, ['client', 'openapi', 'server', 'test', 'package.json', 'package-lock.json']);
  await applyRehearsal(folder);
  const patches = mistakes.flatMap((mistake) => mistake.patches);
  // The number of the migration is not known here.
  for (const { file, from } of patches.filter((patch) => !patch.file.includes('/0000-'))) {
    const text = await readFile(join(folder, file), 'utf8');
    expect(typeof from === 'string' ? text.includes(from) : from.test(text), `${file}: ${from}`).toBe(true);
  }
}, 30_000);
