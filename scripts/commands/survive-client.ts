import { errorMessage } from '../../server/lib/error-message.ts';
import { mockToken } from '../contract/mock/authenticate.ts';
import { responsePointer } from '../contract/survive/contract-pointers.ts';
import { loadMock } from '../contract/survive/load-mock.ts';
import { runCommand } from '../contract/survive/run-command.ts';
import { startScenarioServer } from '../contract/survive/scenario-server.ts';
import { survive } from '../contract/survive/survive.ts';
import { wireScenarios } from '../contract/survive/wire-scenarios.ts';
import { commandIo } from '../lib/command-io.ts';
import { failureLine, printLine, printLines, successLine } from '../lib/terminal.ts';
import {
  assertKnown,
  commandForContract,
  listScenarios,
  reportSurvival,
  type SurviveInvocation,
} from './survive-report.ts';

/** Tests a client with its test command, lists the scenarios, or serves one. @returns exit code */
export async function surviveAsClient(invocation: SurviveInvocation): Promise<number> {
  const { contract, promises, options, args, progress, settings } = invocation;
  const mock = await loadMock(contract, settings, options.api, options.promises);
  const basePath = contract.basePaths[0] ?? '';
  const scenarios = [...mock.scenarios, ...wireScenarios];
  assertKnown(scenarios, invocation);
  if (options.list) return listScenarios(scenarios, options.json);
  const onError = (error: unknown) => progress.say(failureLine(errorMessage(error)));
  if (options.serve) return serve(mock, basePath, onError, invocation);
  const report = await survive({
    ...{ mock, basePath, token: mockToken, onError },
    onProgress: (text) => progress.show(text),
    run: (environment, timeoutMs) => runCommand(args, environment, timeoutMs),
    only: options.scenario ?? [],
    variables: options.env ?? [],
    jobs: Math.max(1, options.jobs),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1_000 }),
  });
  return reportSurvival(
    report,
    {
      promises,
      operations: contract.operations,
      locate: contract.locate,
      pointerOf: responsePointer,
      command: `${commandForContract(invocation)} --serve --port ${options.port}`,
      serverUrl: `http://127.0.0.1:${options.port}`,
    },
    invocation,
  );
}

async function serve(
  mock: Parameters<typeof startScenarioServer>[0],
  basePath: string,
  onError: (error: unknown) => void,
  { options: { scenario: [scenario] = [], ...options }, progress }: SurviveInvocation,
): Promise<number> {
  const server = await startScenarioServer(mock, { port: options.port, onError });
  if (scenario !== undefined)
    server.start({ name: scenario, operations: options.operation, locations: options.location });
  progress.end();
  printLine(successLine(`The scenario ${scenario ?? 'of the examples'} listens on ${server.url}${basePath}`));
  printLines(
    `\n  Token: ${mockToken}\n  Another scenario: curl -d '{"scenario": "nulls"}' ${server.url}/_scenario`,
  );
  commandIo().onShutdown(server.close);
  return 0;
}
