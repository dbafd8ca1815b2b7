import { expect, test } from 'vitest';
import { type ClientOptions, createClient } from '../../../client/index.ts';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../../parley-contract.config.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import { mockToken } from '../../../scripts/contract/mock/authenticate.ts';
import { viewFor } from '../../../scripts/contract/model/read-write-views.ts';
import { loadMock } from '../../../scripts/contract/survive/load-mock.ts';
import { wireScenarios } from '../../../scripts/contract/survive/wire-scenarios.ts';
import { survived } from '../../../scripts/package/survived.ts';
import { operationsOf, type RequestParameter } from '../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../scripts/testing/schema-values/schema-context.ts';
import { problemsIn, surviveProgram } from '../../scripts/contract/survive/run-in-process.ts';
import { exampleParameters } from '../../support/example-requests.ts';
import { isLong } from '../../support/sampling.ts';

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

const operations = operationsOf(createSchemaContext(viewFor('requests', document)));

/**
 * Calls every operation and helper of the client, and reports each result. `parley-contract survive` runs this file.
 * @param environment the variables that the command sets
 */
async function callEverything(environment: NodeJS.ProcessEnv): Promise<void> {
  const { SURVIVE_URL = '', SURVIVE_TOKEN = '' } = environment;
  const options: ClientOptions = {
    baseUrl: new URL(SURVIVE_URL).origin,
    token: SURVIVE_TOKEN,
    timeoutMs: 5_000,
    retries: 0,
    onDeprecated: () => {},
  };
  const parley = createClient(options);
  // First, because some scenarios concern only the first request of each operation.
  const patient = createClient({ ...options, retries: 1 });
  const { throwing } = patient;
  await survived(() => throwing.GET('/api/v1/contacts/{id}', { params: { path: { id: 4021 } } }), {
    environment,
  });
  await survived(() => throwing.POST('/api/v1/contacts', { body: { first_name: 'Grace' } }), { environment });
  for (const { method, path, parameters, body } of operations) {
    const examplesIn = (location: RequestParameter['in']) => exampleParameters(parameters, location);
    const params = { path: examplesIn('path'), query: examplesIn('query'), header: examplesIn('header') };
    // The methods and paths come from the document, so their types are not known here.
    const call = parley.openapi.request as (
      method: string,
      path: string,
      options: object,
    ) => Promise<{ data?: unknown; error?: unknown }>;
    const example = body?.content[0]?.examples[0]?.value;
    await survived(
      () => call(method, path, { params, ...(example === undefined ? {} : { body: example }) }),
      { environment },
    );
  }
  const list = async () => {
    const items: unknown[] = [];
    for await (const contact of parley.items('/api/v1/contacts')) items.push(contact);
    return items;
  };
  await survived(list, { complete: true, environment });
  await survived(() => parley.changeContact(4021, (contact) => ({ ...contact, first_name: 'Grace' })), {
    environment,
  });
}

if (import.meta.main && process.env.SURVIVE_URL !== undefined) await callEverything(process.env);
