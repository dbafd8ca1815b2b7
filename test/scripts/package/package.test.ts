import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { pack } from '../../../scripts/contract/client/build.ts';
import { nativeCompiler } from '../../../scripts/lib/compile-package.ts';
import { buildToolchain } from '../../../scripts/package/build-toolchain.ts';
import { buildRuntime } from '../../../scripts/runtime-package/build-runtime.ts';
import { oldNode } from '../../support/old-node.ts';
import { packageProblems } from '../../support/package-problems.ts';
import { afterAllTests, temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
/** The tarballs of the toolchain and of the runtime. */
let tarballs: string[];
/** The folder of the toolchain in the project. */
let built: string;
/** The folder of the runtime in the project. */
let runtime: string;
/** An empty project with the package and its dependencies. */
let project: string;
/** The result of `init` in the empty project. */
let initialized: { code: number; out: string };

interface Calls {
  querySerializer: (values: object) => string;
}

interface Manifest {
  dependencies: Record<string, string>;
  projectDependencies: Record<string, string>;
}

beforeAll(async () => {
  const folder = await temporaryFolder(afterAllTests);
  project = join(folder, 'my project');
  built = join(project, 'node_modules/parley-contract');
  runtime = join(project, 'node_modules/parley-contract-runtime');
  await buildToolchain(join(folder, 'toolchain'));
  await buildRuntime(join(folder, 'runtime'));
  tarballs = await Promise.all(['toolchain', 'runtime'].map((name) => pack(join(folder, name), folder)));
  for (const [index, installed] of [built, runtime].entries()) {
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', tarballs[index] ?? '', '--strip-components=1', '-C', installed]);
  }
  const { dependencies, projectDependencies }: Manifest = JSON.parse(
    await readFile(join(built, 'package.json'), 'utf8'),
  );
  // Tests run offline, so the dependencies are those of this repository.
  for (const name of Object.keys({ ...dependencies, ...projectDependencies })) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve('node_modules', name), link);
  }
  initialized = await parleyContract('init', '--json');
  expect(await parleyContract('generate')).toMatchObject({ code: 0 });
  await writeFile(
    join(project, 'parley-contract.config.mjs'),
    "export default { portal: { name: 'Notebook', color: { light: '#0a6', dark: '#6fc' } } };",
  );
});

/** Runs the command in the project. @returns the exit code and the output */
async function parleyContract(...given: string[]): Promise<{ code: number; out: string }> {
  const bin = join(project, 'node_modules/parley-contract/scripts/commands/parley-contract.js');
  const options = { cwd: project, env: { ...process.env, npm_lifecycle_event: undefined, NO_COLOR: '1' } };
  return run(process.execPath, [bin, ...given], options).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout + stderr }),
  );
}

/** Runs a command of the package in this process, which shares the modules of its dependencies. */
async function inProcess(...given: string[]): Promise<{ code: number; out: string }> {
  const load = <Module>(path: string): Promise<Module> =>
    import(pathToFileURL(join(built, 'scripts', path)).href);
  const { withCommandIo } =
    await load<typeof import('../../../scripts/lib/command-io.ts')>('lib/command-io.js');
  const { exitCodeOf } =
    await load<typeof import('../../../scripts/lib/run-command-line.ts')>('lib/run-command-line.js');
  const { packageCommands: commands } = await load<
    typeof import('../../../scripts/commands/package-commands.ts')
  >('commands/package-commands.js');
  let out = '';
  const stdout = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const io = { env: {}, stdout, stderr: stdout, onShutdown: () => {}, onInterrupt: () => {} };
  const before = process.cwd();
  process.chdir(project);
  const code = await withCommandIo(io, () => exitCodeOf(given, { name: '', about: '', commands })).finally(
    () => process.chdir(before),
  );
  return { code, out };
}

/** Runs an ES module in the project. */
const evaluate = (script: string) =>
  run(process.execPath, ['--input-type=module', '--eval', script], { cwd: project });

test('publint and attw report no problem with the package', async () => {
  // The package contains only ES modules. The other findings are about CommonJS. `node10` has only `typesVersions`.
  expect(await packageProblems(tarballs[0] ?? '', ['node10', 'node16-esm', 'bundler'])).toEqual([]);
});

test('publint and attw report no problem with the runtime, as ES module and as CommonJS', async () => {
  expect(await packageProblems(tarballs[1] ?? '')).toEqual([]);
});

/** A server that enforces the contract of the project with `require`, and prints the statuses of some requests. */
const commonJsServer = `
const { createServer } = require('node:http');
const express = require('express');
const { contract } = require('parley-contract-runtime');
const { fetchHandler } = require('parley-contract-runtime/fetch');
import('./generated/contract.js').then(({ contract: compiled }) => {
  const app = express().use(contract(compiled));
  app.get('/notes', (_req, res) => res.json([{ id: 1, text: 'Milk' }]));
  app.use((error, _req, res, _next) => res.status(error.status).json({ title: 'No', status: error.status }));
  const server = createServer(app).listen(0, '127.0.0.1', async () => {
    const ask = async (path) => (await fetch('http://127.0.0.1:' + server.address().port + path)).status;
    const listNotes = async () => ({ status: 200, body: [] });
    const handle = fetchHandler(compiled, { handlers: { listNotes, createNote: listNotes, getNote: listNotes } });
    const inside = await handle(new Request('http://localhost/notes?limit=0'));
    console.log([await ask('/notes'), await ask('/notes?limit=0'), await ask('/other'), inside.status].join(' '));
    server.close();
  });
});`;

test('the runtime works with require, and needs no tools', async () => {
  const file = join(project, 'server.cjs');
  await writeFile(file, commonJsServer);
  for (const node of [process.execPath, ...(oldNode ? [oldNode] : [])])
    expect((await run(node, [file], { cwd: project })).stdout).toBe('200 400 404 400\n');
  const modules = await Array.fromAsync(glob('{esm,cjs}/*.js', { cwd: runtime }));
  const imported = await Promise.all(modules.map((name) => readFile(join(runtime, name), 'utf8')));
  const names = imported.flatMap((code) =>
    Array.from(code.matchAll(/(?:from |require\()"([^".][^"]*)"/g), ([, name]) => name),
  );
  expect([...new Set(names)].filter((name) => !name?.startsWith('node:'))).toEqual(['@fastify/busboy']);
});

test('the package contains no code of the service, and none of its database drivers', async () => {
  const modules = await Array.fromAsync(glob('server/**/*.js', { cwd: built }));
  expect(modules.length).toBeGreaterThan(20);
  expect(
    modules.filter(
      (name) =>
        !/^server\/(contract|http\/(express|fetch)|lib|validation\/(explain|parameters))\//.test(name),
    ),
  ).toEqual([]);
  const { dependencies }: Manifest = JSON.parse(await readFile(join(built, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).not.toEqual(expect.arrayContaining(['pg']));
  expect(Object.keys(dependencies)).not.toEqual(expect.arrayContaining(['kysely']));
});

/** A test with the mock inside pages, whose types are in the project. */
const pageTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from './generated/mock.js';

test('the page shows notes', async () => {
  const mock = createMock({
    overrides: {
      listNotes: ({ query }, example) => ({ ...example(), body: example().body.slice(0, query.limit) }),
      // @ts-expect-error this operation documents no such status
      createNote: () => ({ status: 299 }),
    },
  });
  const response = await mock.fetch('/notes?limit=1');
  assert.equal((await response.json()).length, 1);
  mock.verify();
  await mock.fetch('/notes', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"text":"Milk"}',
  });
  assert.throws(mock.verify, /createNote .*documents no status 299/);
});
`;

test('init writes an API whose generated types compile and whose contract tests pass', async () => {
  const { written, kept } = JSON.parse(initialized.out);
  expect([initialized.code, kept]).toEqual([0, []]);
  expect(written).toEqual(expect.arrayContaining(['package.json', 'openapi.yaml', 'app.mts', 'server.mts']));
  await writeFile(join(project, 'page.test.mts'), pageTest);
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler], { cwd: project });
  const tested = await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd: project });
  expect(tested.stdout).toMatch(/^ok \d - createNote$/m);
  expect(tested.stdout).toMatch(/^ok \d - the page shows notes$/m);
  expect(tested.stdout).toMatch(/^# fail 0$/m);

  // An operation that violates the contract fails its test, which prints a request that reproduces the violation.
  const app = await readFile(join(project, 'app.mts'), 'utf8');
  await writeFile(
    join(project, 'app.mts'),
    app.replace('notes.slice(0, query.limit)', '[{ id: 0 }] as never'),
  );
  const broken = await run(process.execPath, ['--test-reporter=tap', 'app.test.mts'], { cwd: project }).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  expect(broken.stdout).toMatch(/^not ok \d - listNotes$/m);
  expect(broken.stdout).toContain('curl -i');
  // An undocumented status does not compile.
  await writeFile(join(project, 'app.mts'), app.replace('status: 201', 'status: 202'));
  const errors = await run(process.execPath, [nativeCompiler], { cwd: project }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(errors).toContain('app.mts');
  await writeFile(join(project, 'app.mts'), app);

  // The tests have recorded what they covered.
  expect((await parleyContract('coverage')).out).toMatch(/^all +\d+\/\d+/m);

  const second = JSON.parse((await parleyContract('init', '--json')).out);
  expect([second.written, second.kept]).toEqual([
    ['package.json'],
    written.filter((name: string) => name !== 'package.json'),
  ]);
});

/** Returns the samples of the guides of the toolchain that have a role. */
async function guideSamples(role: string): Promise<string[]> {
  const guides = await Array.fromAsync(glob('docs/*.md', { cwd: built }));
  const texts = await Promise.all(guides.map((name) => readFile(join(built, name), 'utf8')));
  return texts.flatMap((text) =>
    Array.from(text.matchAll(new RegExp(`^\`\`\`ts ${role}\\n(.*?)^\`\`\``, 'gms')), ([, code = '']) => code),
  );
}

/** Compiles the samples that have a role, in a folder of the project. */
async function expectSamplesCompile(role: string, folder: string): Promise<void> {
  const samples = await guideSamples(role);
  expect(samples.length).toBeGreaterThan(1);
  for (const [index, code] of samples.entries())
    await writeFile(join(folder, `sample${index}.mts`), `${code}\nexport {};\n`);
  const { stdout } = await run(process.execPath, [nativeCompiler], { cwd: project }).catch((error) => error);
  expect(stdout).toBe('');
}

test('the samples of the guides, which are in the package, compile in the project that init writes', async () => {
  await expectSamplesCompile('notes', project);
});

test('both packages have one version, and npm refuses a runtime of another', async () => {
  const [tools, own] = await Promise.all(
    [built, runtime].map(async (at) => JSON.parse(await readFile(join(at, 'package.json'), 'utf8'))),
  );
  expect(own.version).toBe(tools.version);
  expect(tools.peerDependencies).toEqual({ 'parley-contract-runtime': `~${own.version}` });
  const script = `import { contract } from 'parley-contract-runtime';
    import { contract as compiled } from './generated/contract.js';
    contract({ ...compiled, format: 2 });`;
  const { stderr } = await evaluate(script).catch((error) => error);
  expect(stderr).toContain('Install parley-contract and parley-contract-runtime in the same version');
});

test('generate of the package writes serializers for a contract that needs them', async () => {
  await writeFile(
    join(project, 'styles.yaml'),
    `openapi: 3.1.1
info: { title: Styles, version: '1' }
paths:
  /things:
    get:
      operationId: list
      parameters: [{ name: ids, in: query, explode: false, schema: { type: array, items: { type: string } } }]
      responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
components: { schemas: { Note: { type: object, properties: { id: { type: integer, readOnly: true } } } } }
`,
  );
  const generated = await inProcess('generate', '--api', 'styles.yaml', '--out', 'styles/generated');
  expect(generated).toMatchObject({ code: 0 });
  const { withSerializers } = await import(pathToFileURL(join(project, 'styles/generated/client.js')).href);
  const { GET } = withSerializers({
    GET: async (_path: string, { querySerializer }: Calls) => querySerializer,
  });
  expect((await GET('/things', {}))({ ids: ['a', 'b,c'] })).toBe('ids=a,b%2Cc');
  await expectSamplesCompile('styles', join(project, 'styles'));
});

test('the commands are listed by --help, and work in the new project', async () => {
  const { out } = await parleyContract('--help');
  const names = Array.from(out.matchAll(/^ {2}(\w+) +\S/gm), ([, name = '']) => name);
  expect(names).toEqual(expect.arrayContaining(['init', 'generate', 'mock', 'test', 'check']));
  expect((await inProcess('mock', '--help')).out).not.toMatch(/stateful|ply_/);
  expect(await inProcess('doctor')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/[1-9]\d* operations/),
  });
  expect(await inProcess('lint')).toMatchObject({ code: 0 });
  expect(await inProcess('test', '--url', 'http://127.0.0.1:9')).toMatchObject({
    code: 2,
    out: expect.stringContaining('does not respond'),
  });
  expect(await inProcess('check', '--base', 'openapi.yaml')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/All \d+ checks passed/),
  });
  expect(await inProcess('docs', '--out', 'site')).toMatchObject({ code: 0 });
  expect(await readFile(join(project, 'site/index.html'), 'utf8')).toContain('<h1>Notebook</h1>');
  expect(await readFile(join(project, 'site/assets/site.css'), 'utf8')).toContain(
    '--accent: light-dark(#0a6, #6fc);',
  );
  expect(await parleyContract('spell')).toMatchObject({
    code: 2,
    out: expect.stringContaining('no command spell'),
  });
});

test('survived returns the value outside of survive', async () => {
  const script = `
    import { survived } from 'parley-contract/survived';
    console.log(await survived(() => Promise.resolve(7)), await survived(8));`;
  const { stdout } = await evaluate(script);
  expect(stdout).toBe('7 8\n');
});

test('the testing module generates requests and response bodies, and records coverage', async () => {
  const script = `
    import { generateRequests, generateResponseBodies, recordCoverage } from 'parley-contract/testing';
    const [request] = await generateRequests({ operation: 'createNote', count: 1 });
    const [invalid] = await generateRequests({ operation: 'createNote', count: 1, valid: false });
    const bodies = await generateResponseBodies({ operation: 'getNote', status: '200', count: 3 });
    const { save } = await recordCoverage();
    save();
    console.log(JSON.stringify({ request, invalid, bodies }));`;
  const { stdout } = await evaluate(script);
  const { request, invalid, bodies } = JSON.parse(stdout);
  expect(request).toMatchObject({
    method: 'POST',
    path: '/notes',
    values: { body: { text: expect.any(String) } },
  });
  expect(invalid.what).not.toBe('a valid request');
  expect(bodies).toHaveLength(3);
  expect(existsSync(join(project, 'node_modules/.cache/parley/reached'))).toBe(true);
});

test('CommonJS tests, also typed ones, and those of jest, get the testing module with require', async () => {
  const file = join(project, 'common-js.cts');
  await writeFile(
    file,
    `import { generateRequests } from 'parley-contract/testing';
    const made: Promise<readonly { path: string }[]> = generateRequests({ operation: 'createNote', count: 1 });
    made.then(([request]) => process.stdout.write(request?.path ?? ''));`,
  );
  const options = ['--module', 'node16', '--strict', '--skipLibCheck', '--types', 'node', '--ignoreConfig'];
  await run(process.execPath, [nativeCompiler, ...options, file], { cwd: project }).catch(({ stdout }) => {
    throw new Error(stdout);
  });
  const asJest = join(project, 'as-jest.cjs');
  await writeFile(
    asJest,
    `const Module = require('node:module');
    const { require: load } = Module.prototype;
    class Replaced extends Module {}
    Replaced.createRequire = () => { throw new Error('Must use import to load ES Module'); };
    Module.prototype.require = function (id) { return id === 'node:module' ? Replaced : load.call(this, id); };
    process.getBuiltinModule = () => Replaced;`,
  );
  for (const given of [[], ['--require', asJest]]) {
    const { stdout } = await run(process.execPath, [...given, 'common-js.cjs'], { cwd: project });
    expect(stdout).toBe('/notes');
  }
});

// Any account could publish a package under this name.
test('init adds no package to the project that is not on the registry, and keeps an entry for the tarball', async () => {
  const folder = await temporaryFolder();
  const manifest = join(folder, 'package.json');
  const afterInit = async (before: object): Promise<unknown> => {
    await writeFile(manifest, JSON.stringify(before));
    const { out } = await parleyContract('init', folder, '--force');
    const { dependencies = {}, devDependencies = {} } = JSON.parse(await readFile(manifest, 'utf8'));
    const isTold =
      /npm install \S*\/parley-contract-runtime-\S*\.tgz && npm install --save-dev \S*\.tgz/.test(out);
    return [dependencies['parley-contract-runtime'], devDependencies['parley-contract'], isTold];
  };
  expect(await afterInit({})).toEqual([undefined, undefined, true]);
  const entries = {
    dependencies: { 'parley-contract-runtime': 'file:vendor/parley-contract-runtime-0.1.0.tgz' },
    devDependencies: { 'parley-contract': 'file:vendor/parley-contract-0.1.0.tgz' },
  };
  expect(await afterInit(entries)).toEqual([
    entries.dependencies['parley-contract-runtime'],
    entries.devDependencies['parley-contract'],
    false,
  ]);
});

test.runIf(oldNode)(
  'on the old Node of this machine, every entry point says which Node it needs',
  async () => {
    const options = { cwd: project };
    const ended = (given: string[]) =>
      run(oldNode ?? '', given, options).then(
        () => '',
        ({ stderr }) => stderr,
      );
    const bin = 'node_modules/parley-contract/scripts/commands/parley-contract.js';
    expect(await ended([bin, 'init', 'elsewhere'])).toMatch(/^✘ parley-contract needs Node 22\.18 or later/);
    for (const name of ['compile', 'testing'])
      expect(await ended(['--input-type=module', '-e', `await import('parley-contract/${name}')`])).toContain(
        'parley-contract needs Node 22.18 or later',
      );
    for (const name of ['parley-contract', 'parley-contract/survived'])
      expect(await ended(['--input-type=module', '-e', `await import('${name}')`])).toBe('');
  },
);
