import { globSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { importedFile } from './support/imported-file.ts';

/** The parts of the service. Each part imports only parts of its own layer and of those above it. */
const layers = [
  ['generated', 'client', 'server/lib'],
  ['server/contract', 'server/validation/explain', 'server/validation/parameters'],
  ['server/http/express', 'server/http/fetch', 'server/validation/second-validator'],
  ['server/errors.ts', 'server/own-contract', 'server/security/egress'],
  ['generated/migrations.ts', 'generated/tables.ts', 'server/storage'],
  ['server/runtime/config', 'server/security/auth', 'server/security/secrets'],
  ['server/delivery', 'server/features/audit', 'server/http', 'server/runtime/observability'],
  ['server/features'],
  ['generated/handlers.ts', 'server/features/import', 'server/features/privacy', 'server/request-rules.ts'],
  ['server/app.ts', 'server/page-rules.ts', 'server/runtime'],
  ['server/main.ts', 'server/operator', 'server/runtime/demo', 'server/worker.ts'],
];
const parts = layers.flat().toSorted((one, other) => other.length - one.length);

/** Returns the layer of a file of the service: that of its innermost part. -1 if it has none. */
function layerOf(file: string): number {
  const part = parts.find((each) => file === each || file.startsWith(`${each}/`)) ?? '';
  return layers.findIndex((layer) => layer.includes(part));
}

const files = globSync('{parley-contract.config.ts,{server,client,scripts,generated}/**/*.ts}')
  .map(normalize)
  .filter((file) => !file.endsWith('.d.ts'));

/** Returns the relative imports, including type imports, as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return Array.from(text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g), ([, path]) =>
    importedFile(file, path ?? ''),
  );
}

/** Returns the imports of files that a condition rejects. */
const importsThat = (isWrong: (target: string, file: string) => boolean, from: readonly string[]) =>
  from.flatMap((file) =>
    importsOf(file)
      .filter((target) => isWrong(target, file))
      .map((target) => `${file} → ${target}`),
  );

const served = files.filter((file) => file.startsWith('server/'));

const filesWith = (pattern: RegExp, from: readonly string[] = served) =>
  from.filter((file) => pattern.test(readFileSync(file, 'utf8')));

test('every file of the service has a layer, and imports only files of its own layer and of those above it', () => {
  expect(served.length).toBeGreaterThan(60);
  expect(served.filter((file) => layerOf(file) < 0)).toEqual([]);
  const isBelow = (target: string, file: string) =>
    !target.endsWith('.json') && (layerOf(target) < 0 || layerOf(target) > layerOf(file));
  expect(importsThat(isBelow, served)).toEqual([]);
});

test('the client imports only itself and generated files', () => {
  const own = files.filter((file) => file.startsWith('client/'));
  expect(own.length).toBeGreaterThan(5);
  expect(importsThat((target) => !/^(client|generated)\//.test(target), own)).toEqual([]);
});

test('publishing an event does not lead to the sending of webhooks', () => {
  const isOther = (target: string) => !/^server\/(lib|own-contract|storage)\//.test(target);
  expect(importsThat(isOther, ['server/delivery/publish.ts'])).toEqual([]);
});

test('the package of the toolchain has no code of the service', () => {
  const own = files.filter((file) => /^scripts\/(package|runtime-package)\//.test(file));
  expect(own.length).toBeGreaterThan(5);
  expect(importsThat((target) => target.startsWith('server/') && !isToolchain(target), own)).toEqual([]);
});

test('features publish events, and use nothing else of their delivery', () => {
  const features = files.filter((file) => file.startsWith('server/features/'));
  const isOther = (target: string) =>
    target.startsWith('server/delivery/') && target !== 'server/delivery/publish.ts';
  expect(importsThat(isOther, features)).toEqual([]);
});

// The toolchain works with any contract. Everything specific to Parley reaches it through parley-contract.config.ts.
const isToolchain = (file: string) =>
  /^(scripts\/(contract|testing|lib)|server\/(contract|http\/(express|fetch)|lib|validation\/(explain|parameters)))\//.test(
    file,
  );

test('the toolchain and its dependencies do not import the service', () => {
  const tools = files.filter(isToolchain);
  expect(tools.length).toBeGreaterThan(200);
  expect(importsThat((target) => !isToolchain(target), tools)).toEqual([]);
});

test('there are no import cycles', () => {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')];
    if (done.has(file)) return [];
    const circles = importsOf(file).flatMap((target) => visit(target, [...path, file]));
    done.add(file);
    return circles;
  };
  expect(files.flatMap((file) => visit(file, []))).toEqual([]);
});

test('the service never evaluates strings as code, and starts no program except its integrity check', () => {
  expect(filesWith(/\beval\(|new Function\(|node:vm/)).toEqual([]);
  expect(filesWith(/node:child_process/)).toEqual(['server/storage/sqlite/corruption.ts']);
  expect(filesWith(/shell: true/)).toEqual([]);
});

test('no source file is longer than 300 lines, except generated files', () => {
  const long = files.filter(
    (file) => !file.startsWith('generated/') && readFileSync(file, 'utf8').split('\n').length > 300,
  );
  expect(long).toEqual([]);
});

test('only create-ajv.ts creates Ajv, whose own keywords are not safe for untrusted values', () => {
  expect(filesWith(/\bnew Ajv/, files)).toEqual(['scripts/lib/create-ajv.ts']);
});

test('what executes a compiled contract imports only types of Node and no package, so it runs in pages and workers', () => {
  const executing = globSync('server/{contract,http/fetch,validation/{explain,parameters}}/*.ts');
  expect(new Set(executing.map((file) => dirname(file))).size).toBe(4);
  expect(filesWith(/^import (?!type)[^;]*from '[^.]/m, executing)).toEqual([]);
});

test('a document is compiled in memory without the libraries that read files', () => {
  const reached = new Set(['scripts/package/compile-document.ts']);
  const packages = new Set<string>();
  // The loop adds the files that each one imports.
  for (const file of reached)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?!type\b)(?:[^;]*? from )?'([^']+)'/gm,
    ))
      if (path.startsWith('.')) reached.add(importedFile(file, path));
      else if (!path.startsWith('node:')) packages.add(path);
  expect([...packages].sort()).toEqual(['ajv', 'ajv-formats', 'ajv/dist/2020.js']);
});

test('the service validates with the compiled contract, and loads no Ajv', () => {
  expect(filesWith(/(from|import\()\s*'ajv/)).toEqual([]);
});
