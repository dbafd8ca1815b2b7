import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { pack } from '../../../scripts/contract/client/build.ts';
import { outputOf } from '../../../scripts/lab/adoption/application.ts';
import { installNodes, installPackages, packRuntime } from '../../../scripts/lab/adoption/packages.ts';
import { buildToolchain } from '../../../scripts/package/build-toolchain.ts';
import { isLong } from '../../support/sampling.ts';
import { afterAllTests, temporaryFolder } from '../../support/temporary-folder.ts';
import {
  applicationFiles,
  type Combination,
  installedBy,
  notesContract,
  testCommand,
} from './application-files.ts';

/*
 * Applications with the versions that people have. Tools and runtime are installed from their tarballs, so that the tools
 * generate beside the TypeScript of the application. They need the npm registry, so they run only with
 * `npm run test:long`.
 */

/** Each pair of versions that people have, at least once, here or in `applications.test.ts`. */
const combinations: Combination[] = [
  { node: 18, typescript: '5.4', resolution: 'node16', express: 5, module: 'esm', runner: 'node' },
  { node: 20, typescript: '4.9', resolution: 'node', express: 5, module: 'cjs', runner: 'jest' },
  { node: 20, typescript: '5.4', resolution: 'bundler', express: 4, module: 'esm', runner: 'vitest' },
  { node: 20, express: 5, module: 'cjs', runner: 'node' },
  { node: 22, typescript: '5.9', resolution: 'nodenext', express: 5, module: 'esm', runner: 'mocha' },
  { node: 22, typescript: '4.9', resolution: 'node16', express: 4, module: 'esm', runner: 'node' },
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

let tarballs: string[];
let nodeOf: (version: number) => string;

beforeAll(async () => {
  if (!isLong) return;
  const folder = await temporaryFolder(afterAllTests);
  await buildToolchain(join(folder, 'tools'));
  tarballs = [await packRuntime(folder), await pack(join(folder, 'tools'), folder)];
  nodeOf = await installNodes(join(folder, 'nodes'), [...new Set(combinations.map(({ node }) => node))]);
});

describe.runIf(isLong)('the tools and the runtime work with', () => {
  test.each(combinations.map((each) => [nameOf(each), each] as const))(
    '%s',
    { timeout: 300_000 },
    async (_name, given) => {
      const folder = join(await temporaryFolder(), 'my app');
      await mkdir(folder);
      for (const [name, text] of Object.entries(applicationFiles(given)))
        await writeFile(join(folder, name), text);
      await writeFile(join(folder, 'openapi.yaml'), stringify(notesContract));
      await installPackages(folder, [...tarballs, ...installedBy(given)]);
      await outputOf(folder, nodeOf(24), 'parley-contract generate --api openapi.yaml --out generated');
      const node = nodeOf(given.node);
      if (given.typescript) expect(await outputOf(folder, node, 'tsc -p .')).toBe('');
      const { version } = JSON.parse(
        await readFile(join(folder, 'node_modules/express/package.json'), 'utf8'),
      );
      expect(version).toMatch(new RegExp(`^${given.express}\\.`));
      const output = await outputOf(folder, node, testCommand(given));
      expect(output).not.toContain('FAILED');
      expect(output).toMatch(/2 passing|2 passed|pass 2/);
    },
  );
});
