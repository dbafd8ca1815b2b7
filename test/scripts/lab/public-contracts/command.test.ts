import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publicContracts } from '../../../../scripts/lab/public-contracts/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('there are at least 60 public contracts', () => {
  expect(publicContracts().length).toBeGreaterThanOrEqual(60);
});

test('prints the error message of each rejected document, and a summary', async () => {
  const broken = join(await temporaryFolder(), 'broken.yaml');
  await writeFile(broken, 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\npaths: { /a#b: {} }\n');
  const valid = 'test/scripts/contract/generate/contracts/bookshop.yaml';
  const { code, out } = await runCommand(['test:contracts', valid, broken, '--only', 'generate', 'mock']);
  expect(out).toMatch(/^refused .*broken\.yaml: .*broken\.yaml:3:\d+ The path \/a#b contains #/);
  expect(out).toContain('2 documents: 1 work with every tool, 1 are refused, 0 fail.');
  expect(code).toBe(0);
});
