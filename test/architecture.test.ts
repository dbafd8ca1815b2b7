import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** The folders and files that each folder or file may import. */
const mayImport: Record<string, string[]> = {
  client: ['generated'],
  generated: [],
  'parley-contract.config.ts': [
    'scripts/contract',
    'scripts/guide-tables',
    'scripts/lib',
    'server/http',
    'server/page-rules.ts',
    'server/runtime/demo',
  ],
  'scripts/commands': [
    'generated',
    'parley-contract.config.ts',
    'scripts/contract',
    'scripts/contract/check',
    'scripts/contract/client',
    'scripts/contract/docs',
    'scripts/contract/doctor',
    'scripts/contract/generate',
    'scripts/contract/init',
    'scripts/contract/load',
    'scripts/contract/mock',
    'scripts/contract/mock-server',
    'scripts/contract/model',
    'scripts/contract/survive',
    'scripts/contract/uses',
    'scripts/lab/bench',
    'scripts/lab/chaos',
    'scripts/lab/crash',
    'scripts/lab/fuzz',
    'scripts/lab/public-contracts',
    'scripts/lab/replay',
    'scripts/lib',
    'scripts/package',
    'scripts/testing/conformance',
    'scripts/testing/coverage',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/lib',
    'server/validation/second-validator',
  ],
  'scripts/guide-tables': [
    'client',
    'scripts/contract/generate',
    'scripts/lib',
    'server/delivery',
    'server/errors.ts',
    'server/lib',
    'server/own-contract',
    'server/storage',
  ],
  'scripts/package': [
    'scripts/commands',
    'scripts/contract',
    'scripts/contract/compile',
    'scripts/contract/load',
    'scripts/contract/mock-server',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/conformance',
    'scripts/testing/coverage',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/contract',
    'server/http/express',
    'server/http/fetch',
    'server/lib',
  ],
  'scripts/contract/compile': [
    'scripts/contract/model',
    'scripts/lib',
    'server/contract',
    'server/lib',
    'server/validation/parameters',
  ],
  'scripts/contract/doctor': [
    'scripts/contract/check',
    'scripts/contract/load',
    'scripts/contract/model',
    'scripts/testing/conformance',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/lib',
  ],
  'scripts/contract/init': ['server/lib'],
  'scripts/contract': ['scripts/lib', 'server/contract', 'server/http/express'],
  'scripts/contract/check': [
    'scripts/contract',
    'scripts/contract/compile',
    'scripts/contract/diff',
    'scripts/contract/generate',
    'scripts/contract/load',
    'scripts/contract/model',
    'scripts/contract/uses',
    'scripts/lib',
    'scripts/testing/conformance',
    'scripts/testing/coverage',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/lib',
    'server/validation/explain',
  ],
  'scripts/contract/client': ['scripts/lib'],
  'scripts/contract/diff': [
    'scripts/contract/load',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/contract',
    'server/lib',
  ],
  'scripts/contract/docs': [
    'scripts/contract',
    'scripts/contract/generate',
    'scripts/contract/load',
    'scripts/contract/mock',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/schema-values',
    'server/lib',
  ],
  'scripts/contract/generate': [
    'scripts/contract',
    'scripts/contract/compile',
    'scripts/contract/load',
    'scripts/contract/mock',
    'scripts/contract/mock-server',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/contract',
    'server/lib',
  ],
  'scripts/contract/lint': ['server/lib'],
  'scripts/contract/load': [
    'scripts/contract/mock',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/schema-values',
    'server/contract',
    'server/lib',
  ],
  'scripts/contract/model': ['scripts/lib', 'scripts/testing/schema-values', 'server/contract', 'server/lib'],
  'scripts/contract/mock-server': [
    'scripts/contract',
    'scripts/contract/compile',
    'scripts/contract/load',
    'scripts/contract/mock',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/conformance',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/contract',
    'server/http/express',
    'server/lib',
  ],
  'scripts/contract/survive': [
    'scripts/contract',
    'scripts/contract/generate',
    'scripts/contract/load',
    'scripts/contract/mock',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/contract',
    'server/lib',
  ],
  'scripts/contract/uses': ['scripts/contract/diff', 'scripts/lib'],
  'scripts/contract/mock': ['scripts/contract', 'server/contract', 'server/http/fetch', 'server/lib'],
  'scripts/lab': ['package.json', 'scripts/lib'],
  'scripts/lab/bench': [
    'generated',
    'scripts/contract/model',
    'scripts/lab',
    'scripts/lib',
    'server/api.ts',
    'server/app.ts',
    'server/contract',
    'server/errors.ts',
    'server/features',
    'server/http',
    'server/http/express',
    'server/lib',
    'server/own-contract',
    'server/security/auth',
    'server/security/egress',
    'server/security/secrets',
    'server/storage',
    'server/validation/second-validator',
  ],
  'scripts/lab/chaos': ['scripts/lab', 'scripts/lib'],
  'scripts/lab/crash': ['scripts/lab', 'scripts/lab/chaos', 'scripts/lib', 'server/storage'],
  'scripts/lab/fuzz': ['generated', 'scripts/lab', 'scripts/lib'],
  'scripts/lab/public-contracts': [
    'parley-contract.config.ts',
    'scripts/contract/check',
    'scripts/contract/diff',
    'scripts/contract/docs',
    'scripts/contract/generate',
    'scripts/contract/load',
    'scripts/contract/mock-server',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/conformance',
    'scripts/testing/coverage',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
  ],
  'scripts/lab/replay': [
    'scripts/testing/coverage',
    'server/contract',
    'server/lib',
    'server/validation/second-validator',
  ],
  'scripts/lib': ['server/lib'],
  'scripts/testing/conformance': [
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/contract',
    'server/lib',
  ],
  'scripts/testing/coverage': [
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/contract',
    'server/lib',
  ],
  'scripts/testing/requests': [
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/schema-values',
    'server/contract',
    'server/lib',
  ],
  'scripts/testing/schema-values': [
    'scripts/contract/compile',
    'scripts/lib',
    'server/contract',
    'server/lib',
    'server/validation/explain',
    'server/validation/parameters',
  ],
  'server/api.ts': [
    'generated',
    'server/features',
    'server/own-contract',
    'server/security/auth',
    'server/security/egress',
    'server/security/secrets',
  ],
  'server/app.ts': [
    'generated',
    'server/api.ts',
    'server/contract',
    'server/errors.ts',
    'server/features',
    'server/http',
    'server/http/express',
    'server/lib',
    'server/own-contract',
    'server/request-rules.ts',
    'server/runtime/telemetry',
    'server/security/auth',
    'server/security/egress',
    'server/storage',
  ],
  'server/features/audit': ['generated', 'server/own-contract', 'server/storage'],
  'server/security/auth': [
    'generated',
    'server/errors.ts',
    'server/lib',
    'server/own-contract',
    'server/security/egress',
    'server/storage',
  ],
  'server/runtime/config': ['server/security/egress', 'server/security/secrets'],
  'server/own-contract': ['generated', 'server/contract', 'server/lib', 'server/validation/explain'],
  'server/delivery': [
    'server/lib',
    'server/own-contract',
    'server/runtime/telemetry',
    'server/security/egress',
    'server/security/secrets',
    'server/storage',
  ],
  'server/delivery/publish.ts': ['server/own-contract', 'server/runtime/telemetry', 'server/storage'],
  'server/runtime/demo': [
    'generated',
    'server/app.ts',
    'server/contract',
    'server/delivery',
    'server/errors.ts',
    'server/features',
    'server/features/import',
    'server/http/express',
    'server/own-contract',
    'server/security/auth',
    'server/security/egress',
    'server/security/secrets',
    'server/storage',
  ],
  'server/security/egress': [],
  'server/errors.ts': ['generated', 'server/contract', 'server/lib'],
  'server/features': [
    'server/contract',
    'server/delivery/publish.ts',
    'server/errors.ts',
    'server/features/audit',
    'server/lib',
    'server/own-contract',
    'server/security/auth',
    'server/security/egress',
    'server/security/secrets',
    'server/storage',
  ],
  'server/http': [
    'server/contract',
    'server/errors.ts',
    'server/http/express',
    'server/lib',
    'server/own-contract',
    'server/runtime/telemetry',
    'server/security/egress',
  ],
  'server/features/import': [
    'server/errors.ts',
    'server/features',
    'server/lib',
    'server/own-contract',
    'server/storage',
  ],
  'server/lib': [],
  'server/main.ts': [
    'generated',
    'server/app.ts',
    'server/http',
    'server/lib',
    'server/own-contract',
    'server/runtime',
    'server/runtime/config',
    'server/runtime/demo',
    'server/runtime/observability',
    'server/runtime/telemetry',
    'server/security/auth',
    'server/security/egress',
    'server/security/secrets',
    'server/storage',
    'server/validation/second-validator',
  ],
  'server/runtime/observability': [
    'generated',
    'server/lib',
    'server/runtime/config',
    'server/runtime/telemetry',
    'server/storage',
  ],
  'server/operator': [
    'generated',
    'server/contract',
    'server/delivery',
    'server/errors.ts',
    'server/features',
    'server/features/audit',
    'server/features/import',
    'server/features/privacy',
    'server/lib',
    'server/own-contract',
    'server/runtime',
    'server/runtime/config',
    'server/security/auth',
    'server/security/secrets',
    'server/storage',
  ],
  'server/page-rules.ts': [
    'server/errors.ts',
    'server/own-contract',
    'server/request-rules.ts',
    'server/security/egress',
  ],
  'server/features/privacy': [
    'server/delivery/publish.ts',
    'server/features',
    'server/own-contract',
    'server/storage',
  ],
  'server/request-rules.ts': [
    'generated',
    'server/features',
    'server/http/express',
    'server/own-contract',
    'server/security/egress',
  ],
  'server/runtime': [
    'generated',
    'server/contract',
    'server/delivery',
    'server/features',
    'server/features/audit',
    'server/features/privacy',
    'server/lib',
    'server/runtime/config',
    'server/runtime/observability',
    'server/runtime/telemetry',
    'server/security/egress',
    'server/security/secrets',
    'server/storage',
  ],
  'server/validation/second-validator': ['server/contract', 'server/lib'],
  'server/security/secrets': ['server/storage'],
  'server/storage': ['server/lib', 'server/own-contract'],
  'server/runtime/telemetry': ['server/runtime/config'],
  'server/worker.ts': [
    'generated',
    'server/lib',
    'server/runtime',
    'server/runtime/config',
    'server/runtime/observability',
  ],
  'server/contract': ['server/lib', 'server/validation/explain', 'server/validation/parameters'],
  'server/validation/explain': ['server/contract', 'server/lib'],
  'server/http/express': ['server/contract', 'server/lib'],
  'server/http/fetch': ['server/contract'],
  'server/validation/parameters': ['server/contract', 'server/lib'],
};

const parts = Object.keys(mayImport).toSorted((one, other) => other.length - one.length);

/** Returns the part of a file in the table above: the innermost folder, or the file itself. */
const partOf = (file: string): string =>
  parts.find((part) => file === part || file.startsWith(`${part}/`)) ?? file;

const files = globSync('{parley-contract.config.ts,{server,client,scripts,generated}/**/*.ts}')
  .map(normalize)
  .filter((file) => !file.endsWith('.d.ts'));

/** Returns the relative imports, including type imports, as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return Array.from(text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g), ([, path]) =>
    join(dirname(file), path ?? ''),
  );
}

test('every source folder is in the table of allowed imports', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(files.map(partOf).filter((part) => !(part in mayImport))).toEqual([]);
});

test('folders import only what the table of allowed imports permits', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter(
        (target) => partOf(target) !== partOf(file) && !mayImport[partOf(file)]?.includes(partOf(target)),
      )
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** The features that each feature may import, besides `audit`. Features that are not listed import no other feature. */
const featureImports: Record<string, string[]> = {
  contacts: ['fields'],
  conversations: ['messages'],
  import: ['contacts', 'conversations', 'fields', 'messages'],
  messages: ['conversations'],
  privacy: ['contacts', 'conversations', 'fields', 'messages', 'webhooks'],
};

test('features import only the features that the table of features permits', () => {
  const featureOf = (file: string) => /^server\/features\/(\w+)\//.exec(file)?.[1];
  const wrong = files.flatMap((file) => {
    const feature = featureOf(file);
    return importsOf(file).filter((target) => {
      const other = feature === undefined ? undefined : featureOf(target);
      const isAllowed = [undefined, feature, 'audit', ...(featureImports[feature ?? ''] ?? [])].includes(
        other,
      );
      return feature !== undefined && !isAllowed;
    });
  });
  expect(files.some((file) => featureOf(file) !== undefined)).toBe(true);
  expect(wrong).toEqual([]);
});

// The toolchain works with any contract. Everything specific to Parley reaches it through parley-contract.config.ts.
const isToolchain = (part: string) =>
  /^(scripts\/(contract|testing)(\/|$)|server\/(contract|http\/(express|fetch)|validation\/(explain|parameters))$)/.test(
    part,
  );
const toolchainMayImport =
  /^(scripts\/(contract|testing|lib)(\/|$)|server\/(contract|http\/(express|fetch)|lib|validation\/(explain|parameters))$)/;

test('the toolchain and its dependencies do not import the service', () => {
  const parts = Object.keys(mayImport).filter(
    (part) => isToolchain(part) || /^(server|scripts)\/lib$/.test(part),
  );
  expect(parts.filter(isToolchain).length).toBeGreaterThan(10);
  const wrong = parts.flatMap((part) =>
    (mayImport[part] ?? [])
      .filter((target) => !toolchainMayImport.test(target))
      .map((target) => `${part} → ${target}`),
  );
  expect(wrong).toEqual([]);
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
  const served = files.filter((file) => file.startsWith('server/'));
  const with_ = (pattern: RegExp) => served.filter((file) => pattern.test(readFileSync(file, 'utf8')));
  expect(with_(/\beval\(|new Function\(|node:vm/)).toEqual([]);
  expect(with_(/node:child_process/)).toEqual(['server/storage/sqlite/corruption.ts']);
  expect(with_(/shell: true/)).toEqual([]);
});

test('no source file is longer than 300 lines, except generated files', () => {
  const long = files.filter(
    (file) => !file.startsWith('generated/') && readFileSync(file, 'utf8').split('\n').length > 300,
  );
  expect(long).toEqual([]);
});

test('only create-ajv.ts creates Ajv, whose own keywords are not safe for untrusted values', () => {
  const creating = globSync(['server/**/*.ts', 'scripts/**/*.ts', 'client/**/*.ts'])
    .filter((file) => /\bnew Ajv/.test(readFileSync(file, 'utf8')))
    .map((file) => normalize(file).replaceAll('\\', '/'));
  expect(creating).toEqual(['scripts/lib/create-ajv.ts']);
});

test('what executes a compiled contract imports only types of Node and no package, so it runs in pages and workers', () => {
  const executing = globSync('server/{contract,http/fetch,validation/{explain,parameters}}/*.ts');
  expect(new Set(executing.map((file) => dirname(file))).size).toBe(4);
  const importing = executing.filter((file) =>
    /^import (?!type)[^;]*from '[^.]/m.test(readFileSync(file, 'utf8')),
  );
  expect(importing).toEqual([]);
});

test('the service validates with the compiled contract, and loads no Ajv', () => {
  const loading = globSync('server/**/*.ts').filter((file) =>
    /(from|import\()\s*'ajv/.test(readFileSync(file, 'utf8')),
  );
  expect(loading).toEqual([]);
});
