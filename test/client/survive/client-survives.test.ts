import { expect, test } from 'vitest';
import { contractConfig } from '../../../parley-contract.config.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import { mockToken } from '../../../scripts/contract/mock/authenticate.ts';
import { loadMock } from '../../../scripts/contract/survive/load-mock.ts';
import { wireScenarios } from '../../../scripts/contract/survive/wire-scenarios.ts';
import { problemsIn, surviveProgram } from '../../scripts/contract/survive/run-in-process.ts';
import { isLong } from '../../support/sampling.ts';
import { callEverything } from './call-everything.ts';

const contract = await loadContract(contractConfig.api);
const mock = await loadMock(contract, contractConfig, contractConfig.api);

/**
 * Scenarios in which the client waits in each call. The tests of its time-out and retries run without waiting. That the
 * scenarios find faults is shown by `test/scripts/contract/survive`.
 */
const slow = ['endless-body', 'status-429', 'status-503'];

test('the client survives every scenario, with every operation of the contract', async () => {
  const all = [...mock.scenarios, ...wireScenarios].map(({ name }) => name);
  const report = await surviveProgram(callEverything, {
    ...{ mock, basePath: contract.basePaths[0] ?? '', token: mockToken },
    only: all.filter((name) => isLong || !slow.includes(name)),
    timeoutMs: 300_000,
    jobs: 8,
  });
  expect(problemsIn(report)).toEqual([]);
  expect(report.baseline.rejected).toEqual([]);
  expect(report.baseline.operations.toSorted()).toEqual(contract.operations.map(({ id }) => id).toSorted());
});
