import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Returns the key of a file in the table below: its folder, or the file itself if it is directly in the project's root,
 * in `server/` or in `scripts/`.
 */
function partOf(file: string): string {
  const [top = '', second = '', third = '', fourth] = file.split('/');
  if (third === '') return top === 'server' || top === 'scripts' || second === '' ? file : top;
  const isDeep = fourth !== undefined && top === 'scripts';
  return isDeep ? `${top}/${second}/${third}` : `${top}/${second}`;
}

/** The folders and files that each folder or file may import. */
const mayImport: Record<string, string[]> = {
  client: ['generated'],
  generated: [],
  'parley-contract.config.ts': [
    'scripts/contract',
    'scripts/lib',
    'server/demo',
    'server/http',
    'server/page-rules.ts',
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
    'server/second-validator',
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
    'server/lib',
    'server/contract',
    'server/express',
    'server/fetch',
  ],
  'scripts/contract/compile': [
    'scripts/contract/model',
    'scripts/lib',
    'server/lib',
    'server/contract',
    'server/parameters',
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
  'scripts/contract': ['server/contract', 'server/express'],
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
    'server/explain',
  ],
  'scripts/contract/client': ['scripts/lib'],
  'scripts/contract/diff': [
    'scripts/contract/load',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
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
    'server/lib',
    'server/contract',
  ],
  'scripts/contract/lint': ['server/lib'],
  'scripts/contract/load': [
    'scripts/contract/mock',
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/schema-values',
    'server/lib',
    'server/contract',
  ],
  'scripts/contract/model': ['scripts/lib', 'scripts/testing/schema-values', 'server/lib', 'server/contract'],
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
    'server/lib',
    'server/contract',
    'server/express',
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
    'server/lib',
    'server/contract',
  ],
  'scripts/contract/uses': ['scripts/contract/diff', 'scripts/lib'],
  'scripts/contract/mock': ['scripts/contract', 'server/lib', 'server/contract', 'server/fetch'],
  'scripts/lab': ['package.json', 'scripts/lib'],
  'scripts/lab/bench': [
    'generated',
    'scripts/contract/model',
    'scripts/lab',
    'scripts/lib',
    'server/api.ts',
    'server/app.ts',
    'server/auth',
    'server/own-contract',
    'server/egress',
    'server/errors.ts',
    'server/features',
    'server/http',
    'server/idempotency',
    'server/lib',
    'server/contract',
    'server/express',
    'server/second-validator',
    'server/secrets',
    'server/storage',
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
    'server/lib',
    'server/contract',
    'server/second-validator',
  ],
  'scripts/lib': ['server/lib'],
  'scripts/testing/conformance': [
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/lib',
    'server/contract',
  ],
  'scripts/testing/coverage': [
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/requests',
    'scripts/testing/schema-values',
    'server/lib',
    'server/contract',
  ],
  'scripts/testing/requests': [
    'scripts/contract/model',
    'scripts/lib',
    'scripts/testing/schema-values',
    'server/lib',
    'server/contract',
  ],
  'scripts/testing/schema-values': [
    'scripts/contract/compile',
    'scripts/lib',
    'server/contract',
    'server/lib',
    'server/explain',
    'server/parameters',
  ],
  'server/api.ts': [
    'generated',
    'server/auth',
    'server/own-contract',
    'server/egress',
    'server/features',
    'server/idempotency',
    'server/secrets',
  ],
  'server/app.ts': [
    'generated',
    'server/api.ts',
    'server/auth',
    'server/own-contract',
    'server/egress',
    'server/errors.ts',
    'server/http',
    'server/idempotency',
    'server/lib',
    'server/contract',
    'server/express',
    'server/request-rules.ts',
    'server/storage',
    'server/telemetry',
  ],
  'server/audit': ['generated', 'server/own-contract', 'server/storage'],
  'server/auth': [
    'generated',
    'server/own-contract',
    'server/egress',
    'server/errors.ts',
    'server/lib',
    'server/storage',
  ],
  'server/config': ['server/egress', 'server/secrets'],
  'server/own-contract': ['generated', 'server/lib', 'server/contract', 'server/explain'],
  'server/delivery': [
    'server/own-contract',
    'server/egress',
    'server/lib',
    'server/secrets',
    'server/storage',
    'server/telemetry',
  ],
  'server/demo': [
    'generated',
    'server/app.ts',
    'server/auth',
    'server/own-contract',
    'server/delivery',
    'server/egress',
    'server/errors.ts',
    'server/features',
    'server/import',
    'server/contract',
    'server/express',
    'server/secrets',
    'server/storage',
  ],
  'server/egress': [],
  'server/errors.ts': ['generated', 'server/lib', 'server/contract'],
  'server/events': ['server/own-contract', 'server/storage', 'server/telemetry'],
  'server/features': [
    'server/audit',
    'server/auth',
    'server/own-contract',
    'server/egress',
    'server/errors.ts',
    'server/events',
    'server/idempotency',
    'server/lib',
    'server/contract',
    'server/secrets',
    'server/storage',
  ],
  'server/http': [
    'server/own-contract',
    'server/egress',
    'server/errors.ts',
    'server/lib',
    'server/contract',
    'server/express',
    'server/telemetry',
  ],
  'server/idempotency': [
    'server/auth',
    'server/errors.ts',
    'server/lib',
    'server/contract',
    'server/storage',
  ],
  'server/import': [
    'server/own-contract',
    'server/errors.ts',
    'server/features',
    'server/lib',
    'server/storage',
  ],
  'server/lib': [],
  'server/main.ts': [
    'generated',
    'server/app.ts',
    'server/auth',
    'server/config',
    'server/own-contract',
    'server/demo',
    'server/egress',
    'server/http',
    'server/lib',
    'server/observability',
    'server/runtime',
    'server/second-validator',
    'server/secrets',
    'server/storage',
    'server/telemetry',
  ],
  'server/observability': [
    'package.json',
    'server/config',
    'server/lib',
    'server/storage',
    'server/telemetry',
  ],
  'server/operator': [
    'package.json',
    'server/audit',
    'server/auth',
    'server/config',
    'server/own-contract',
    'server/delivery',
    'server/errors.ts',
    'server/features',
    'server/import',
    'server/lib',
    'server/contract',
    'server/privacy',
    'server/runtime',
    'server/secrets',
    'server/storage',
  ],
  'server/page-rules.ts': [
    'server/own-contract',
    'server/egress',
    'server/errors.ts',
    'server/request-rules.ts',
  ],
  'server/privacy': [
    'server/own-contract',
    'server/events',
    'server/features',
    'server/idempotency',
    'server/storage',
  ],
  'server/request-rules.ts': [
    'generated',
    'server/own-contract',
    'server/egress',
    'server/features',
    'server/express',
  ],
  'server/runtime': [
    'package.json',
    'server/audit',
    'server/config',
    'server/delivery',
    'server/egress',
    'server/features',
    'server/idempotency',
    'server/lib',
    'server/observability',
    'server/contract',
    'server/privacy',
    'server/secrets',
    'server/storage',
    'server/telemetry',
  ],
  'server/second-validator': ['server/lib', 'server/contract'],
  'server/secrets': ['server/storage'],
  'server/storage': ['server/lib', 'server/own-contract'],
  'server/telemetry': ['server/config'],
  'server/worker.ts': [
    'package.json',
    'server/config',
    'server/lib',
    'server/observability',
    'server/runtime',
  ],
  'server/contract': ['server/explain', 'server/lib', 'server/parameters'],
  'server/explain': ['server/contract', 'server/lib'],
  'server/express': ['server/contract', 'server/lib'],
  'server/fetch': ['server/contract'],
  'server/parameters': ['server/contract', 'server/lib'],
};

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

/** The features that each feature may import. Features that are not listed import no other feature. */
const featureImports: Record<string, string[]> = {
  contacts: ['fields'],
  conversations: ['messages'],
  messages: ['conversations'],
};

test('features import only the features that the table of features permits', () => {
  const featureOf = (file: string) => /^server\/features\/(\w+)/.exec(file)?.[1];
  const wrong = files.flatMap((file) => {
    const feature = featureOf(file);
    return importsOf(file).filter((target) => {
      const other = feature === undefined ? undefined : featureOf(target);
      return other !== undefined && other !== feature && !featureImports[feature ?? '']?.includes(other);
    });
  });
  expect(files.some((file) => featureOf(file) !== undefined)).toBe(true);
  expect(wrong).toEqual([]);
});

// The toolchain works with any contract. Everything specific to Parley reaches it through parley-contract.config.ts.
const isToolchain = (part: string) =>
  /^(scripts\/(contract|testing)(\/|$)|server\/(contract|explain|express|fetch|parameters)$)/.test(part);
const toolchainMayImport =
  /^(scripts\/(contract|testing|lib)(\/|$)|server\/(contract|explain|express|fetch|lib|parameters)$)/;

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
  const importing = globSync('server/{contract,explain,fetch,parameters}/*.ts').filter((file) =>
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
