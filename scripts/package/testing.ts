/** Tests of an API and its clients against its contract: `import { contractTests } from 'parley-contract/testing'`. */
import '../../server/lib/assert-node.mjs';
import { loadContract } from '../contract/load/load-contract.ts';
import { createMockServer } from '../contract/mock-server/server.ts';
import { readConfig } from '../contract/read-config.ts';
import { listenLocally } from '../lib/local-server.ts';
import { resourcesOf } from '../testing/conformance/behavior/resource.ts';
import { chooseOperations } from '../testing/conformance/choose-operations.ts';
import { variablesText } from '../testing/conformance/report-text.ts';
import { runConformance } from '../testing/conformance/run.ts';
import { type Phase, phases } from '../testing/conformance/session.ts';
import {
  type CoverageRecorder,
  createCoverageRecorder,
  saveRecording,
} from '../testing/coverage/recording.ts';
import { operationsOf, requestOperations } from '../testing/requests/operations.ts';
import {
  type SampleOptions,
  type SampleRequest,
  sampleRequests,
  sampleResponseBodies,
} from '../testing/requests/sample-operation.ts';
import { createRequestSender } from '../testing/requests/send.ts';
import { createSchemaContext } from '../testing/schema-values/schema-context.ts';

interface ContractOption {
  /** Path of the contract's root file (default: that of the settings). */
  api?: string;
}

const loadApi = async ({ api }: ContractOption) => {
  const config = await readConfig();
  return loadContract(api ?? config.api, config);
};

export interface ContractTestOptions extends ContractOption {
  /** URL of the running API, to which the paths of the contract are appended. */
  url: string;
  /** Headers and query parameters of every request, for credentials. */
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Operations that are never called, as `--exclude` of the command `test` names them. */
  exclude?: readonly string[];
  /** Operations that get no invalid bodies, as `--unread-bodies` names them. */
  unreadBodies?: readonly string[];
  /** Random valid requests per operation, and about as many invalid ones (default 20). */
  runs?: number;
  seed?: number;
}

export interface ContractTest {
  /** The ID of the operation, or `sequences: ` and the IDs of those that are called in turn. */
  operation: string;
  /** Sends the requests. @throws Error that lists each violation with a curl command */
  run: () => Promise<void>;
}

/**
 * Returns tests for any test runner: one for each operation of a contract, and one for the sequences of requests to each
 * type of resource. A test first creates the resources that it needs.
 * @throws Error if the contract cannot be read, or has no such operation to exclude
 */
export async function contractTests(options: ContractTestOptions): Promise<ContractTest[]> {
  const { url, headers = {}, query = {}, exclude = [], unreadBodies = [], runs = 20, seed = 1 } = options;
  const contract = await loadApi(options);
  const requests = createSchemaContext(contract.view('request').document);
  const documented = operationsOf(createSchemaContext(contract.view('response').document));
  const all = requestOperations(contract, requests, documented);
  const { chosen } = chooseOperations(all, { only: [], exclude });
  const spaces = chosen.map((operation) => ({ operation }));
  const sequences = resourcesOf(all, spaces).map(({ create, read, update, remove }) => {
    const paths = [create, read, update, remove].map((space) => space?.operation.path);
    return chosen.filter(({ path }) => paths.includes(path)).map(({ id }) => id);
  });
  const testOf = (operation: string, only: readonly string[], tested: readonly Phase[]): ContractTest => ({
    operation,
    async run() {
      const { send, close } = createRequestSender(url, 10_000);
      const report = await runConformance({
        ...{ contract, send, base: url, phases: tested, only, exclude, unreadBodies, runs, seed },
        credentials: { headers, query },
      });
      close();
      if (report.findings.length === 0) return;
      const lines = report.findings.map((found) => `${found.operation}: ${found.message}\n    ${found.curl}`);
      lines.push(variablesText(report.variables));
      // Jest adds an empty comparison to the message of an AssertionError.
      throw new Error(`The service violates the contract:\n  ${lines.join('\n  ')}`);
    },
  });
  const inSequences = new Set(sequences.flat());
  const alone = phases.filter((phase) => phase !== 'stateful');
  return [
    ...chosen.map(({ id }) => testOf(id, [id], inSequences.has(id) ? alone : phases)),
    ...sequences.map((ids) => testOf(`sequences: ${ids.join(', ')}`, ids, ['stateful'])),
  ];
}

/**
 * Starts a mock of a contract on a free port.
 * @param api path of the contract's root file (default: that of the settings)
 */
export async function startMock(api?: string): Promise<{ url: string; close: () => Promise<void> }> {
  const config = await readConfig();
  const { server, contract } = await createMockServer({ config, api: api ?? config.api });
  const { url, close } = await listenLocally(server);
  return { url: url + contract.basePaths[0], close: async () => close() };
}

/**
 * Generates requests to an operation: valid ones, or invalid ones with one violation each.
 * @throws Error if there is no such operation, or no such request
 */
export const generateRequests = async (options: SampleOptions & ContractOption): Promise<SampleRequest[]> =>
  sampleRequests(await loadApi(options), options);

/**
 * Generates JSON bodies of an operation's responses, valid or with one violation each, for tests of clients.
 * @throws Error if there is no such operation, response or body
 */
export const generateResponseBodies = async (
  options: SampleOptions &
    ContractOption & { /** `200`, `4XX` or `default`, as documented. */ status: string },
): Promise<unknown[]> => sampleResponseBodies(await loadApi(options), options.status, options);

/**
 * Records which parts of the contract requests and responses cover, for `parley-contract coverage`. Pass `observe` to
 * `contract` in the tests, and call `save` after them.
 */
export async function recordCoverage(options: ContractOption = {}): Promise<{
  observe: CoverageRecorder['observe'];
  save: () => void;
}> {
  const { observe, reached } = createCoverageRecorder(await loadApi(options), new Set());
  return { observe, save: () => saveRecording('reached', reached) };
}
