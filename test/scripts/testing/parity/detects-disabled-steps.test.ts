import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../../../parley-contract.config.ts';
import { applyPatch, copyProject, type Patch } from '../../../../scripts/lib/project-copy.ts';
import type { ParityTarget } from '../../../../scripts/testing/parity/compare.ts';
import { checkStatelessParity, parityCases } from '../../../../scripts/testing/parity/run.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { pipelineSteps } from './pipeline-steps.ts';
import { demoService, mockAt } from './targets.ts';

const needed = ['server', 'scripts', 'generated', 'openapi', 'package.json', 'parley-contract.config.ts'];

/** Starts the mock from a copy of the source with these patches. */
async function mockWith(...patches: Patch[]): Promise<ParityTarget> {
  const folder = join(await temporaryFolder(), 'copy');
  await copyProject(folder, needed);
  for (const patch of patches) await applyPatch(folder, patch);
  const child = spawn(process.execPath, ['scripts/main.mjs', 'mock', '--port', '0'], { cwd: folder });
  onTestFinished(() => void child.kill());
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      out += data;
    });
  await expect.poll(() => out).toContain('curl ');
  return mockAt(/listens on (\S+)/.exec(out)?.[1] ?? '');
}

const server = await demoService(Date.now, afterAll);
// The requests do not depend on the mock, so all tests share them. Each operation's list ends with requests that no
// schema describes. They find most of the differences, so the order is reversed.
const asked = (await parityCases({ document, server, valid: isLong ? 5 : 2, invalid: 1, seed })).toReversed();

const agreementWith = (mock: ParityTarget) =>
  checkStatelessParity({ document, server, errors: contractConfig.errors }, mock, asked, 1);

// Each step needs its own mock process and takes a few seconds, so `npm test` tries only every twelfth.
const tried = Object.entries(pipelineSteps).filter((_, index) => isLong || index % 12 === 0);

test('every step is a part of the source', async () => {
  for (const { file, from } of Object.values(pipelineSteps))
    expect((await readFile(file, 'utf8')).split(from), from).toHaveLength(2);
});

test.each(tried)(
  'server and mock differ if the mock lacks this step: %s',
  async (_step, patch) => {
    const { differences } = await agreementWith(await mockWith(patch));
    expect(differences).toHaveLength(1);
  },
  60_000,
);

test('the mock of an unchanged copy matches the server', async () => {
  const { differences, requested: asked } = await agreementWith(await mockWith());
  expect(differences).toEqual([]);
  expect(asked).toBeGreaterThan(800);
});

/** Makes an example violate its schema. */
const brokenExample: Patch = {
  file: 'openapi/components/examples/Contact4021.yaml',
  from: 'status: offline',
  to: 'status: asleep',
};
const examplesUnchecked: Patch = {
  file: 'scripts/contract/mock/dynamic-response.ts',
  from: 'if (!dynamic && !isWrong)',
  to: 'if (!dynamic)',
};
const answersUnchecked: Patch = {
  file: 'server/pipeline/handle-request.ts',
  from: '  return validateResponse(operation, given, state.headers, entityTag);',
  to: "  return { status: given.status, headers: { ...state.headers, ...(given.headers as object), 'Content-Type': 'application/json' }, payload: JSON.stringify(given.body) };",
};

test('the comparison detects an invalid example that a mock without response validation returns', async () => {
  const { differences } = await agreementWith(
    await mockWith(brokenExample, examplesUnchecked, answersUnchecked),
  );
  expect(differences[0]?.responses.mock).toContain('asleep');
});
