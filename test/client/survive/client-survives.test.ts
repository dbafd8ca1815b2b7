import { expect, test } from 'vitest';
import { contractConfig } from '../../../parley-contract.config.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import { mockToken } from '../../../scripts/contract/mock/authenticate.ts';
import { loadMock } from '../../../scripts/contract/survive/load-mock.ts';
import { wireScenarios } from '../../../scripts/contract/survive/wire-scenarios.ts';
import { problemsIn, surviveProgram } from '../../scripts/contract/survive/run-in-process.ts';
import { isLong } from '../../support/sampling.ts';
import { callEverything } from './call-everything.ts';
import { type Fault, faultyCopy } from './faulty-copy.ts';

const contract = await loadContract(contractConfig.api);
const mock = await loadMock(contract, contractConfig, contractConfig.api);
const options = { mock, basePath: contract.basePaths[0] ?? '', token: mockToken };
type Client = typeof import('../../../client/index.ts');

/** Scenarios in which the client waits in each call. The tests of faults below run them too. */
const slow = ['endless-body', 'status-429', 'status-503'];

test('the client survives every scenario, with every operation of the contract', async () => {
  const all = [...mock.scenarios, ...wireScenarios].map(({ name }) => name);
  const report = await surviveProgram(callEverything, {
    ...options,
    only: all.filter((name) => isLong || !slow.includes(name)),
    timeoutMs: 300_000,
    jobs: 8,
  });
  expect(problemsIn(report)).toEqual([]);
  expect(report.baseline.rejected).toEqual([]);
  expect(report.baseline.operations.toSorted()).toEqual(contract.operations.map(({ id }) => id).toSorted());
});

/** Faults, each with what finds it. */
const faults: Record<string, [fault: Fault, found: string]> = {
  'documented errors are data': [
    {
      file: 'calls.ts',
      from: 'error: new ParleyError(response, error) }',
      to: 'data: error, error: undefined }',
    },
    'status-404: wrong value',
  ],
  'the charset is not expected': [
    {
      file: 'transport.ts',
      from: String.raw`/^application\/json\s*(;|$)/i`,
      to: String.raw`/^application\/json$/i`,
    },
    'charset: exception',
  ],
  'the case of the media type matters': [
    { file: 'transport.ts', from: '(;|$)/i', to: '(;|$)/' },
    'media-type-case: exception',
  ],
  'there is no time-out': [
    { file: 'transport.ts', from: 'AbortSignal.timeout(timeoutMs)', to: 'new AbortController().signal' },
    'endless-body: time-out',
  ],
  'pages in HTML are data': [
    {
      file: 'transport.ts',
      from: /if \(body === undefined\) return .*/,
      to: 'if (body === undefined) return { ...outcome, finish: () => Response.json(text) };',
    },
    'login-page: wrong value',
  ],
  'only the first page is read': [
    { file: 'pagination.ts', from: 'query = page.next;', to: 'query = undefined;' },
    'small-pages: wrong value',
  ],
  'only the first link is read': [
    {
      file: 'pagination.ts',
      from: "(link ?? '')",
      to: "(link ?? '').split(', <')[0]",
    },
    'new-links: wrong value',
  ],
  'Retry-After is ignored': [
    { file: 'transport.ts', from: /retryAfter: parseRetryAfterSeconds\(.*\) \}/, to: 'retryAfter: 0 }' },
    'retry-after: early retry',
  ],
  'Retry-After as a date is ignored': [
    { file: 'errors.ts', from: 'const timestamp = Date.parse(header);', to: 'const timestamp = 0;' },
    'retry-after-date: early retry',
  ],
  'a request is repeated without end': [
    {
      file: 'retry-policy.ts',
      from: /if \(made > retries[^;]*;[\s\S]*?;/,
      to: 'if (!isTemporary(outcome) || made > 20) return undefined; return 1;',
    },
    'status-503: endless retries',
  ],
  'an announced removal is an error': [
    {
      file: 'deprecation.ts',
      from: 'told.add(operation);',
      to: "throw new Error('The operation is deprecated.');",
    },
    'deprecation: exception',
  ],
};

test.concurrent.for(Object.keys(faults))(
  'found in a copy of the client: %s',
  async (name, { onTestFinished }) => {
    const [fault, found] = faults[name] ?? [undefined, ''];
    const { createClient } = await faultyCopy<Client>('index', fault, onTestFinished);
    const [scenario = ''] = found.split(':');
    // Without a time-out, the program waits until it is stopped.
    const limit = scenario === 'endless-body' ? { timeoutMs: 8_000 } : {};
    const report = await surviveProgram((environment) => callEverything(environment, createClient), {
      ...{ ...options, only: [scenario] },
      ...limit,
    });
    expect(problemsIn(report)).toContain(found);
  },
);
