import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('generated files stay fresh if settings replace the options of the command', async () => {
  const cwd = join(await temporaryFolder(), 'my project');
  await mkdir(cwd);
  await cp('scripts/contract/init/project/openapi.yaml', join(cwd, 'notes.yaml'));
  const options = ['--api', 'notes.yaml', '--out', 'made'];
  expect(await runCommand(['generate', ...options], { cwd })).toMatchObject({ code: 0 });
  const settings = "export default { api: 'notes.yaml', out: 'made' };\n";
  await writeFile(join(cwd, 'parley-contract.config.mjs'), settings);
  expect(await runCommand(['generate', '--check'], { cwd })).toMatchObject({ code: 0 });
});
