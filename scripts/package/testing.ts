/** Tests of an API against its contract: `import { contractTests, startMock } from 'parley-contract/testing'`. */
import { AssertionError } from 'node:assert';
import { once } from 'node:events';
import { basePathsOf } from '../../server/pipeline/base-paths.ts';
import { loadContract } from '../contract/load/load-contract.ts';
import { createMock } from '../contract/mock/server.ts';
import { readConfig } from '../contract/read-config.ts';
import { runConformance } from '../testing/conformance/run.ts';
import { phases } from '../testing/conformance/session.ts';
import { operationsOf } from '../testing/requests/operations.ts';
import { createRequestSender } from '../testing/requests/send.ts';
import { createSchemaContext } from '../testing/schema-values/schema-context.ts';

export interface ContractTestOptions {
  /** Path of the contract's root file (default: that of the settings). */
  api?: string;
  /** URL of the running API, to which the paths of the contract are appended. */
  url: string;
  /** Headers of every request, for credentials. */
  headers?: Readonly<Record<string, string>>;
  /** Random valid requests per operation, and about as many invalid ones (default 20). */
  runs?: number;
  seed?: number;
}

export interface ContractTest {
  operation: string;
  /** Sends the requests. @throws AssertionError that lists each violation with a curl command */
  run: () => Promise<void>;
}

/** Returns a test for each operation of a contract, for any test runner. */
export async function contractTests(options: ContractTestOptions): Promise<ContractTest[]> {
  const { api = (await readConfig()).api, url, headers = {}, runs = 20, seed = 1 } = options;
  const document = await loadContract(api);
  return operationsOf(createSchemaContext(document)).map(({ id }) => ({
    operation: id,
    async run() {
      const { send, close } = createRequestSender(url, 10_000);
      const report = await runConformance({
        ...{ document, send, base: url, phases, only: [id], runs, seed },
        credentials: { headers, query: {} },
      });
      close();
      if (report.findings.length === 0) return;
      const lines = report.findings.map(({ message, curl }) => `${message}\n    ${curl}`);
      throw new AssertionError({ message: `${id} violates the contract:\n  ${lines.join('\n  ')}` });
    },
  }));
}

/**
 * Starts a mock of a contract on a free port.
 * @param api path of the contract's root file (default: that of the settings)
 */
export async function startMock(api?: string): Promise<{ url: string; close: () => Promise<void> }> {
  const config = await readConfig();
  const { server, document } = await createMock({ config, api: api ?? config.api });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}${basePathsOf(document.servers)[0]}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
