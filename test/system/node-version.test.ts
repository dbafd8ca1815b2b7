import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { oldNode } from '../support/old-node.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const own = readJson('package.json');

/** The oldest Node that the scripts run on. */
const requiredNode: string = own.devEngines.runtime.version.replace('>=', '');

/** The commands of npm scripts that run programs of this project. */
const commands = Object.values<string>(own.scripts)
  .flatMap((text) => text.split(' && '))
  .filter((command) => /^node (?!node_modules)/.test(command));

/** Arguments with which Node says that it is an old version. */
const asOldNode = [
  '--import',
  `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })")}`,
];

/** Runs a command in a shell that finds only one Node. */
const outcomeOf = (file: string, given: string[]) =>
  run(file, given, { timeout: 60_000 }).then(
    ({ stdout }) => ({ code: 0, out: stdout, err: '' }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );

/** An old Node that is simulated, and one of this machine. */
const oldNodes: [node: string, file: string, options: string[]][] = [
  ['a simulated Node', process.execPath, asOldNode],
];
if (oldNode) oldNodes.push(['the old Node of this machine', oldNode, []]);

/** The files that Node loads first: one for each program, or one for many. */
const firstFiles = new Set(commands.map((command) => /\S+\.m?[jt]s\b/.exec(command)?.[0] ?? command));

test.each(oldNodes.flatMap((node) => [...firstFiles].map((first) => [first, ...node] as const)))(
  'a program whose first file is %s says on %s which Node it needs',
  async (first, _node, file, options) => {
    const command = commands.find((each) => each.includes(first)) ?? '';
    const { code, out, err } = await outcomeOf(file, [...options, ...command.split(' ').slice(1), '--help']);
    expect(err).toMatch(`✘ parley needs Node ${requiredNode} or later, and this is Node `);
    expect(err).not.toMatch(/ {4}at /);
    expect([code, out]).toEqual([1, '']);
  },
);

test.each(['commands/parley-contract', 'package/compile-document', 'package/testing'])(
  'scripts/%s of the package says which Node it needs, and does nothing',
  async (name) => {
    const folder = join(await temporaryFolder(), 'project');
    const { code, err } = await outcomeOf(process.execPath, [
      ...asOldNode,
      ...[`scripts/${name}.ts`, 'init', folder],
    ]);
    expect(err).toContain(`needs Node ${requiredNode} or later`);
    expect([code, existsSync(folder)]).toEqual([1, false]);
  },
);

const firstImport = (file: string) => /^import [^;]*;/m.exec(readFileSync(file, 'utf8'))?.[0];
const staticImports = (file: string) =>
  Array.from(readFileSync(file, 'utf8').matchAll(/^import [^;]*?'([^']+)';/gm), ([, from]) => from);

// Node links all static imports before it runs the first one.
test('programs import nothing else statically that an old Node may lack', () => {
  expect(staticImports('server/lib/assert-node.mjs')).toEqual(['node:fs']);
  expect(staticImports('server/lib/require-node.mjs')).toEqual([]);
  expect(staticImports('server/runtime/compile-cache.mjs')).toEqual(['../lib/require-node.mjs', 'node:path']);
  expect(staticImports('scripts/commands/parley-contract.ts')).toEqual([
    '../../server/runtime/compile-cache.mjs',
  ]);
  for (const file of ['scripts/package/compile-document.ts', 'scripts/package/testing.ts'])
    expect(firstImport(file), file).toBe("import '../../server/lib/assert-node.mjs';");
});

test('the package has a check for each of its entry points', () => {
  const { bin, exports } = readJson('scripts/package/package.json');
  expect(Object.values(bin)).toEqual(['scripts/commands/parley-contract.js']);
  // The settings and `survived` are read by Node 20 too.
  expect(Object.keys(exports)).toEqual(['.', './compile', './survived', './testing', './package.json']);
});

test('documents name the versions of Node that the manifests require', () => {
  const manifests = globSync(['package.json', 'client/package.json', 'scripts/*/package.json']);
  const versions = manifests.map((file) => readJson(file).engines.node.replace('>=', ''));
  const documents = globSync(['{README,CONTRIBUTING}.md', '{client,scripts,openapi}/**/*.md']);
  const named = documents.flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/Node\s+(\d[\d.]*)\s+or\s+(?:later|newer)/g),
      ([, version]) => version,
    ),
  );
  expect(new Set(named)).toEqual(new Set(versions));
});
