import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const options = ['--api', 'notes.yaml', '--out', 'made'];

/** Creates a project with a contract. @returns its folder */
async function createProject(): Promise<string> {
  const cwd = join(await temporaryFolder(), 'my project');
  await mkdir(cwd);
  await cp('scripts/contract/init/project/openapi.yaml', join(cwd, 'notes.yaml'));
  return cwd;
}

test('generated files stay fresh if settings replace the options of the command', async () => {
  const cwd = await createProject();
  expect(await runCommand(['generate', ...options], { cwd })).toMatchObject({ code: 0 });
  const settings = "export default { api: 'notes.yaml', out: 'made' };\n";
  await writeFile(join(cwd, 'parley-contract.config.mjs'), settings);
  expect(await runCommand(['generate', '--check'], { cwd })).toMatchObject({ code: 0 });
});

test('generate says what to do if its files are outside of rootDir of tsconfig.json', async () => {
  const cwd = await createProject();
  // Comments and trailing commas are usual in this file.
  await writeFile(join(cwd, 'tsconfig.json'), '{ "compilerOptions": { "rootDir": "src", /* sources */ }, }');
  const { code, err } = await runCommand(['generate', ...options], { cwd });
  expect([code, err]).toEqual([
    0,
    expect.stringContaining('made/ is outside of rootDir, src/, in tsconfig.json'),
  ]);
  expect(err).toContain('Run: parley-contract generate --api notes.yaml --out src/made\n');
  const inside = await runCommand(['generate', '--api', 'notes.yaml', '--out', 'src/made'], { cwd });
  expect(inside).toMatchObject({ code: 0, err: '' });
});
