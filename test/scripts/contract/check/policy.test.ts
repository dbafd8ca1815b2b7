import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readPolicy } from '../../../../scripts/contract/check/policy.ts';
import { writeFiles } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

async function policyOf(settings: string) {
  const folder = await temporaryFolder();
  const file = join(folder, 'redocly.yaml');
  await writeFile(file, `extends: [spec]\n${settings}`);
  return { folder, file, policy: readPolicy(file, join(folder, 'openapi.yaml')) };
}

test.each([
  ['the configuration is missing', undefined],
  // Its plugins would run code of that project.
  ['the configuration belongs to another project and is not named', 'plugins: [./plugin.js]'],
])('uses only the rules of OpenAPI itself if %s', async (_name, settings) => {
  const folder = await temporaryFolder();
  if (settings !== undefined) await writeFile(join(folder, 'redocly.yaml'), settings);
  const policy = await readPolicy(undefined, join(folder, 'openapi.yaml'));
  expect(policy).toEqual({ redocly: expect.stringMatching(/specification-only\.yaml$/) });
});

test('resolves the changelog path relative to the configuration', async () => {
  const settings = 'x-contract-check: { version: semver, changelog: docs/CHANGES.md, minimum-score: 70 }';
  const { folder, file, policy } = await policyOf(settings);
  expect(await policy).toEqual({
    redocly: file,
    version: 'semver',
    changelog: join(folder, 'docs/CHANGES.md'),
    minimumScore: 70,
  });
});

test('uses the configuration in the folder of a contract of this project', async () => {
  const redocly = 'test/scripts/contract/lint/redocly.yaml';
  expect(await readPolicy(undefined, 'test/scripts/contract/lint/openapi.yaml')).toEqual({ redocly });
});

test.each([
  ['rules: { operation-summary: error }', 1, '^$'],
  [
    'apis: { other: { root: other.yaml } }',
    0,
    '^redocly.yaml is not used, because its apis do not list api/openapi.yaml. Use it: --config redocly.yaml\n',
  ],
])(
  'for a contract in another folder, %s in the working directory applies or is reported',
  async (configured, code, err) => {
    const paths = { '/a': { get: { operationId: 'getA', responses: { 200: { description: 'Yes.' } } } } };
    const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths };
    const settings = await writeFiles({
      'redocly.yaml': configured,
      'package.json': '{}',
      'api/openapi.yaml': JSON.stringify(document),
    });
    const ran = await runCommand(['lint', '--api', 'api/openapi.yaml'], { cwd: dirname(settings) });
    expect(ran).toMatchObject({ code, err: expect.stringMatching(err) });
  },
);

test('uses the configuration of the working directory for our contract, because it lists the contract', async () => {
  expect(await readPolicy(undefined, 'openapi/openapi.yaml')).toMatchObject({
    redocly: 'redocly.yaml',
    version: 'semver',
    changelog: 'openapi/CHANGELOG.md',
  });
});

test.each([
  ['x-contract-check: yes', 'must be an object'],
  ['x-contract-check: { version: calver }', 'has version: "calver"'],
  ['x-contract-check: { minimum-score: 101 }', 'has minimum-score: 101'],
  ['x-contract-check: { changelog: A.md }', 'has changelog without version'],
  ['x-contract-check: { changelogs: A.md }', 'has changelogs'],
])('rejects %s, and names the file', async (settings, message) => {
  const { file, policy } = await policyOf(settings);
  await expect(policy).rejects.toThrow(message);
  await expect(policy).rejects.toThrow(file);
});

test('rejects a configuration that does not exist, and names it', async () => {
  await expect(readPolicy('nowhere.yaml', 'openapi.yaml')).rejects.toThrow('nowhere.yaml cannot be read');
});
