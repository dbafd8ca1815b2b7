import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Who may import whom, by part. A part is a folder, or a file beside the folders; the first pattern
 * that fits a file names its part.
 */
const parts: Record<string, RegExp> = {
  generated: /^generated\//,
  aboutThePackage: /^package\.json$/,
  errors: /^server\/errors\.ts$/,
  formats: /^server\/formats\.ts$/,
  text: /^server\/text\.ts$/,
  nodeHttp: /^server\/node-http\.ts$/,
  addresses: /^server\/addresses\//,
  secrets: /^server\/secrets\//,
  events: /^server\/events\//,
  delivery: /^server\/delivery\//,
  sendWebhooks: /^server\/send-webhooks\.ts$/,
  equipment: /^server\/equipment\.ts$/,
  metrics: /^server\/((serve-)?metrics|turned-away)\.ts$/,
  worker: /^server\/worker\.ts$/,
  config: /^server\/(config|setting-readers)\.ts$/,
  progress: /^server\/progress\.ts$/,
  terminal: /^server\/terminal\.ts$/,
  commandLine: /^server\/command-line\.ts$/,
  databaseAddress: /^server\/database-address\.ts$/,
  openStore: /^server\/open-store\.ts$/,
  bearer: /^server\/bearer\.ts$/,
  about: /^server\/(probes|contract-pages|page-log)\.ts$/,
  portal: /^server\/portal\.ts$/,
  clientAddress: /^server\/client-address\.ts$/,
  contract: /^server\/contract\//,
  pipeline: /^server\/pipeline\//,
  storage: /^server\/storage\//,
  tokens: /^server\/tokens\//,
  idempotency: /^server\/idempotency\//,
  checks: /^server\/checks\.ts$/,
  api: /^server\/api\.ts$/,
  app: /^server\/app\.ts$/,
  demo: /^server\/demo\//,
  operator: /^server\/operator\//,
  main: /^server\/main\.ts$/,
  client: /^client\//,
  // The service itself, as a mock: the one script that may.
  statefulMock: /^scripts\/mock\/stateful\.ts$/,
  // Whom the service is measured beside: all of them work with its own handlers and data.
  contestants: /^scripts\/bench\/enforcement\//,
  // What looks at the embedded database's own files, as the service would that starts on them.
  crash: /^scripts\/crash\//,
  scripts: /^scripts\//,
  // Any other folder of the server holds a feature.
  features: /^server\/[^/]+\//,
};

const mayImport: Record<string, string[]> = {
  generated: [],
  errors: [],
  formats: [],
  text: ['errors'],
  nodeHttp: [],
  addresses: [],
  secrets: [],
  events: ['contract', 'storage'],
  delivery: ['nodeHttp', 'addresses', 'secrets', 'contract', 'storage'],
  sendWebhooks: ['addresses', 'config', 'delivery', 'equipment', 'metrics', 'storage'],
  equipment: ['config', 'databaseAddress', 'openStore', 'secrets', 'storage', 'features'],
  metrics: ['nodeHttp', 'aboutThePackage', 'config', 'storage'],
  worker: ['config', 'commandLine', 'equipment', 'metrics', 'pipeline', 'sendWebhooks'],
  config: ['addresses', 'databaseAddress', 'secrets'],
  databaseAddress: [],
  commandLine: [],
  progress: [],
  terminal: ['progress'],
  openStore: ['databaseAddress', 'storage'],
  bearer: [],
  about: ['pipeline'],
  portal: [],
  clientAddress: ['addresses'],
  storage: [],
  client: ['generated'],
  contract: ['generated', 'errors', 'formats', 'text'],
  pipeline: ['nodeHttp', 'errors', 'formats', 'text'],
  tokens: ['addresses', 'storage', 'errors', 'bearer'],
  idempotency: ['storage', 'errors'],
  features: ['contract', 'errors', 'formats', 'events', 'addresses', 'secrets', 'idempotency', 'storage'],
  checks: ['features', 'addresses', 'contract', 'pipeline', 'generated'],
  api: ['features', 'contract', 'addresses', 'secrets', 'idempotency', 'storage'],
  app: [
    'clientAddress',
    'about',
    'portal',
    'pipeline',
    'api',
    'checks',
    'tokens',
    'contract',
    'errors',
    'idempotency',
    'storage',
  ],
  demo: ['features', 'contract', 'storage', 'tokens'],
  operator: [
    'nodeHttp',
    'config',
    'delivery',
    'equipment',
    'sendWebhooks',
    'formats',
    'secrets',
    'commandLine',
    'databaseAddress',
    'openStore',
    'progress',
    'terminal',
    'features',
    'contract',
    'errors',
    'storage',
    'tokens',
  ],
  main: [
    'app',
    'config',
    'commandLine',
    'equipment',
    'demo',
    'features',
    'addresses',
    'idempotency',
    'metrics',
    'pipeline',
    'sendWebhooks',
    'storage',
    'tokens',
    'generated',
  ],
  contestants: [
    'addresses',
    'api',
    'app',
    'contract',
    'errors',
    'features',
    'formats',
    'generated',
    'idempotency',
    'pipeline',
    'scripts',
    'secrets',
    'storage',
    'tokens',
  ],
  crash: ['scripts', 'storage'],
  statefulMock: [
    'addresses',
    'app',
    'contract',
    'demo',
    'generated',
    'pipeline',
    'scripts',
    'secrets',
    'storage',
    'tokens',
  ],
  scripts: [
    'aboutThePackage',
    'contestants',
    'crash',
    'statefulMock',
    'pipeline',
    'progress',
    'addresses',
    'bearer',
    'checks',
    'commandLine',
    'contract',
    'errors',
    'formats',
    'generated',
    'text',
  ],
};

const files = globSync('{server,client,scripts,generated}/**/*.ts')
  .map(normalize)
  .filter((file) => !file.endsWith('.d.ts'));

const partOf = (file: string): string =>
  Object.entries(parts).find(([, pattern]) => pattern.test(file))?.[0] ?? `(${file})`;

/** Relative imports, types included, as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return Array.from(text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g), ([, path]) =>
    join(dirname(file), path ?? ''),
  );
}

test('every file is in a part', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(files.map(partOf).filter((part) => !(part in mayImport))).toEqual([]);
});

test('imports go in the directions of the design only', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter(
        (target) => partOf(target) !== partOf(file) && !mayImport[partOf(file)]?.includes(partOf(target)),
      )
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** Which feature may use which; files of theirs import each other in no circle (see below). */
const featuresUse: Record<string, string[]> = {
  contacts: ['fields'],
  fields: [],
  conversations: ['messages'],
  messages: ['conversations'],
  webhooks: [],
  imports: ['contacts', 'conversations', 'fields', 'messages'],
  exports: ['contacts', 'conversations', 'fields', 'messages'],
  erasure: ['contacts'],
};

const featureOf = (file: string): string => /^server\/([^/]+)\//.exec(file)?.[1] ?? '';

test('features use each other only where it is said here', () => {
  const wrong = files
    .filter((file) => partOf(file) === 'features')
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => partOf(target) === 'features' && featureOf(target) !== featureOf(file))
        .filter((target) => !featuresUse[featureOf(file)]?.includes(featureOf(target)))
        .map((target) => `${file} → ${target}`),
    );
  expect(wrong).toEqual([]);
});

test('no files import each other in a circle', () => {
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

test('two files alone reach inside express-openapi-validator, and its version is pinned exactly', () => {
  const inside = files.filter((file) =>
    readFileSync(file, 'utf8').includes("from 'express-openapi-validator/"),
  );
  expect(inside.toSorted()).toEqual(['server/pipeline/validator.ts', 'server/pipeline/workshop.ts']);
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(dependencies['express-openapi-validator']).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the service evaluates no text, and starts no program but the one that looks through its database', () => {
  const served = files.filter((file) => file.startsWith('server/'));
  const with_ = (pattern: RegExp) => served.filter((file) => pattern.test(readFileSync(file, 'utf8')));
  expect(with_(/\beval\(|new Function\(|node:vm/)).toEqual([]);
  expect(with_(/node:child_process/)).toEqual(['server/storage/sqlite-damage.ts']);
  expect(with_(/shell: true/)).toEqual([]);
});

test('no file is longer than 300 lines', () => {
  const long = files.filter(
    (file) => !file.startsWith('generated/') && readFileSync(file, 'utf8').split('\n').length > 300,
  );
  expect(long).toEqual([]);
});
