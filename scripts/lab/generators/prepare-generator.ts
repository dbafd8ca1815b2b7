import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import type { ClientGenerator } from './catalog.ts';

const run = promisify(execFile);
const own = import.meta.dirname;

/** The contract of the tests. */
export const contractFile = join(own, 'tickets.yaml');

/**
 * Installs a generator below `node_modules/.cache`, generates its client, and bundles the program that uses it.
 * @returns the file to run with Node and the name of a variant, and the names of the variants
 * @throws Error with the output of the command that failed
 */
export async function prepareGenerator({ packages, command, files = {}, program }: ClientGenerator): Promise<{
  file: string;
  variants: string[];
}> {
  const dependencies = JSON.stringify(packages);
  const folder = resolve(
    'node_modules/.cache/client-generators',
    `${program}-${hash('sha256', dependencies).slice(0, 8)}`,
  );
  await mkdir(folder, { recursive: true });
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages });
  const known = await readFile(join(folder, 'installed.json'), 'utf8').catch(() => '');
  if (known !== dependencies) {
    await writeFile(join(folder, 'package.json'), manifest);
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
    await writeFile(join(folder, 'installed.json'), dependencies);
  }
  await copyFile(contractFile, join(folder, 'tickets.yaml'));
  await copyFile(join(own, 'programs', `${program}.ts`), join(folder, 'program.ts'));
  await copyFile(join(own, 'programs/main.ts'), join(folder, 'main.ts'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await rm(join(folder, 'generated'), { recursive: true, force: true });
  await mkdir(join(folder, 'generated'));
  const [name = '', ...given] = command;
  // No generator may report home.
  const env = { ...process.env, DO_NOT_TRACK: '1', REDOCLY_TELEMETRY: 'off' };
  await run(process.execPath, [join(folder, 'node_modules/.bin', name), ...given], { cwd: folder, env });
  const bundle = await rolldown({
    input: join(folder, 'main.ts'),
    platform: 'node',
    resolve: { alias: { 'parley-contract/survived': resolve(own, '../../package/survived.ts') } },
    external: /^(?!parley-contract\/)[^./]/,
    logLevel: 'silent',
  });
  const file = join(folder, 'main.mjs');
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  const { stdout } = await run(process.execPath, [file]);
  return { file, variants: JSON.parse(stdout) };
}
