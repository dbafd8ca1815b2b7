import { errorMessage } from '../../server/lib/error-message.ts';
import type { ContractConfig } from '../contract/config.ts';
import type { ApiOptions } from '../contract/contract-command.ts';
import { loadContract } from '../contract/load/load-contract.ts';
import { readPromises } from '../contract/load/read-promises.ts';
import { mockToken } from '../contract/mock/authenticate.ts';
import type { ScenarioInfo } from '../contract/mock/mock-types.ts';
import { findingsOf } from '../contract/survive/findings.ts';
import { loadMock } from '../contract/survive/load-mock.ts';
import { formatSurviveReport } from '../contract/survive/report-text.ts';
import { runCommand } from '../contract/survive/run-command.ts';
import { startScenarioServer } from '../contract/survive/scenario-server.ts';
import { survive } from '../contract/survive/survive.ts';
import { wireScenarios } from '../contract/survive/wire-scenarios.ts';
import type { Invocation } from '../lib/command.ts';
import { commandIo } from '../lib/command-io.ts';
import { shellWord } from '../lib/shell-text.ts';
import { failureLine, printJson, printLine, printLines, successLine } from '../lib/terminal.ts';

/** The options of `survive`. */
export interface SurviveOptions extends ApiOptions {
  env?: string[];
  scenario?: string[];
  timeout?: number;
  jobs: number;
  list?: true;
  serve?: true;
  port: number;
  operation?: string[];
  location?: string[];
  json?: true;
}

/** Tests a client with its test command, lists the scenarios, or serves one. @returns exit code */
export async function surviveClient(
  options: SurviveOptions,
  { name, settings, args, progress }: Invocation<ContractConfig>,
): Promise<number> {
  const contract = await loadContract(options.api, options);
  const promises = await readPromises(options.api);
  const mock = await loadMock(contract, settings, options.api);
  const basePath = contract.basePaths[0] ?? '';
  const scenarios = [...mock.scenarios, ...wireScenarios];
  const only = options.scenario ?? [];
  const unknown = only.find((each) => !scenarios.some((known) => known.name === each));
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}. Run: ${name} --list`);
  if (options.list) return listScenarios(scenarios, options.json);
  const onError = (error: unknown) => progress.say(failureLine(errorMessage(error)));
  if (options.serve) {
    const server = await startScenarioServer(mock, { port: options.port, onError });
    const [scenario] = only;
    if (scenario !== undefined)
      server.start({ name: scenario, operations: options.operation, locations: options.location });
    progress.end();
    printLine(
      successLine(`The scenario ${scenario ?? 'of the examples'} listens on ${server.url}${basePath}`),
    );
    printLines(
      `\n  Token: ${mockToken}\n  Another scenario: curl -d '{"scenario": "nulls"}' ${server.url}/_scenario`,
    );
    commandIo().onShutdown(server.close);
    return 0;
  }
  const report = await survive({
    ...{ mock, basePath, token: mockToken, only, onError },
    onProgress: (text) => progress.show(text),
    run: (environment, timeoutMs) => runCommand(args, environment, timeoutMs),
    variables: options.env ?? [],
    jobs: Math.max(1, options.jobs),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1_000 }),
  });
  const withApi = options.api === settings.api ? name : `${name} --api ${shellWord(options.api)}`;
  const findings = await findingsOf(report.results, {
    ...{ promises, operations: contract.operations, locate: contract.locate },
    command: `${withApi} --serve --port ${options.port}`,
    serverUrl: `http://127.0.0.1:${options.port}`,
  });
  progress.end();
  if (options.json)
    printJson({ baseline: report.baseline, findings, notApplicable: report.notApplicable }, 2);
  else printLines(formatSurviveReport(report, findings));
  return findings.some(({ level }) => level === 'error') ? 1 : 0;
}

function listScenarios(scenarios: readonly ScenarioInfo[], json: true | undefined): number {
  if (json) printJson(scenarios, 2);
  else
    for (const each of scenarios) printLine(`${each.name.padEnd(20)} ${each.class.padEnd(13)} ${each.title}`);
  return 0;
}
