import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { bundleEntry } from '../../../../scripts/contract/client/bundle-size.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { differencesOf } from './fetch-cases.ts';
import { startMockServer } from './mock-server.ts';

const { base, cases } = await startMockServer(contractConfig);
// Minified again, as by the bundler of an application.
const bundle = await bundleEntry('generated/mock.js');

test('the mock inside a page responds to every request like the mock server', async () => {
  const file = join(await temporaryFolder(), 'mock.mjs');
  await writeFile(file, bundle.code);
  const module: typeof import('../../../../generated/mock.js') = await import(pathToFileURL(file).href);
  const mock = module.createMock();
  const differences = await differencesOf(cases, base, mock);
  expect(differences.slice(0, 5)).toEqual([]);
  expect(cases.length).toBeGreaterThan(900);
  mock.verify();
});

test('the bundle of the mock has at most 50 KB after compression, and evaluates no strings', () => {
  expect(bundle.bytes).toBeLessThan(50_000);
  expect(bundle.code).not.toMatch(/\beval\(|new Function\(/);
});
