import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { basePathsOf } from '../../server/pipeline/base-paths.ts';
import type { Promises } from '../contract/load/read-promises.ts';
import { mockToken } from '../contract/mock/authenticate.ts';
import { readConfig } from '../contract/read-config.ts';
import type { FindingsContext } from '../contract/survive/findings.ts';
import type { SurviveReport } from '../contract/survive/survive.ts';
import { allowOutsideOption } from '../lib/allow-outside.ts';
import { commandName } from '../lib/command-name.ts';
import { onShutdown } from '../lib/on-shutdown.ts';
import type { OpenApiDocument } from '../lib/openapi-document.ts';
import { wholeNumber } from '../lib/option-parsers.ts';
import { parsePort } from '../lib/ports.ts';
import { shellWord } from '../lib/shell-text.ts';
import {
  failureLine,
  printJson,
  printLine,
  printLines,
  reportFailure,
  successLine,
  terminalProgress,
} from '../lib/terminal.ts';

ignoreBrokenPipe();

const contractConfig = await readConfig();
const name = commandName('survive');
const several = (value: string, before: readonly string[] = []) => [...before, value];

const program = exitWithUsageCode(new Command(name))
  .description(
    'Test whether a client survives everything that a contract allows. It runs your test command against a server that speaks the contract: once with its examples, then with each scenario. With --receiver, it sends events to a receiver of webhooks.',
  )
  .argument('[command...]', 'test command, after --; with --receiver: command that starts the receiver')
  .option('--api <file>', 'OpenAPI document (3.0 to 3.2, or Swagger 2.0)', contractConfig.api)
  .addOption(allowOutsideOption(contractConfig.allowOutside))
  .option(
    '--promises <file>',
    'promised additions to the API (default: promises.yaml in the folder of the contract)',
  )
  .option('--env <name>', 'variable that also gets the URL of the server; can be repeated', several)
  .option('--scenario <name>', 'run only this scenario; can be repeated', several)
  .option(
    '--timeout <seconds>',
    'stop the test command after this time (default: three times its usual one, but at least 20 s)',
    wholeNumber,
  )
  .addOption(
    new Option('--jobs <count>', 'runs of the test command at the same time')
      .argParser(wholeNumber)
      // Runs also wait, for bodies that are slow or do not end.
      .default(Math.min(4, availableParallelism() + 1), 'one more than processors, at most 4'),
  )
  .option('--receiver <url>', 'send the events of the contract to this URL')
  .option(
    '--secret-env <name>',
    'with --receiver: variable with the secret of the signatures (Standard Webhooks)',
  )
  .option('--list', 'list the scenarios')
  .option('--serve', 'only start the server, with the one --scenario')
  .option('--port <port>', 'with --serve: port to listen on', parsePort, 4020)
  .option(
    '--operation <id>',
    'with --serve: change only responses of this operation; can be repeated',
    several,
  )
  .option('--location <pointer>', 'with --serve: change only this value of bodies; can be repeated', several)
  .option('--json', 'print the report as JSON')
  .option('--junit <file>', 'also write the report as JUnit XML')
  .option('--markdown <file>', 'also write the report as Markdown')
  .addHelpText(
    'after',
    `
Examples:
  ${name} -- npm test
  ${name} --env API_URL --junit survive.xml -- npx vitest run test/client
  ${name} --scenario nulls --scenario new-properties -- pytest
  ${name} --serve --scenario login-page
  ${name} --receiver http://127.0.0.1:3000/hook --secret-env WEBHOOK_SECRET -- node receiver.js

The tests find the server's URL in SURVIVE_URL, and a token in SURVIVE_TOKEN. Tests that expect the examples of the contract
say most about a client; with \`survived\` of parley-contract/survived they also say what the client returned. A scenario that
changes values or returns errors makes such tests fail, which is not a finding: only results passed to \`survived\`, crashes,
time-outs and wrong requests are.

All scenarios that should have no effect are tried in one run. If runs disturb each other, set --jobs 1; what fails is always run
again alone.

A command after --receiver gets a new secret in the variable; without a command, the receiver must run with the secret of this
process.

Exit codes: 0 the client survives (responses of proxies and networks only warn), 1 there are errors, 2 usage error, or the
tests fail without a scenario.`,
  );
program.parse();
const { args } = program;
const {
  api,
  allowOutside,
  promises: promisesFile,
  env = [],
  scenario: only = [],
  operation: operations,
  location: locations,
  ...options
} = program.opts<{
  api: string;
  allowOutside: string[];
  promises?: string;
  env?: string[];
  scenario?: string[];
  timeout?: number;
  jobs: number;
  receiver?: string;
  secretEnv?: string;
  list?: true;
  serve?: true;
  port: number;
  operation?: string[];
  location?: string[];
  json?: true;
  junit?: string;
  markdown?: string;
}>();

// Imported lazily, so that --help and usage errors stay fast.
const { loadContract } = await import('../contract/load/load-contract.ts');
const { createSourceMap } = await import('../contract/load/source-map.ts');
const { namesIn, readPromises } = await import('../contract/load/read-promises.ts');
const { eventPointer, responsePointer } = await import('../contract/survive/contract-pointers.ts');
const { findingsOf } = await import('../contract/survive/findings.ts');
const { loadMock } = await import('../contract/survive/load-mock.ts');
const { startReceiver } = await import('../contract/survive/receiver/start-receiver.ts');
const { scenariosOfReceivers, surviveReceiver, webhookOperations } = await import(
  '../contract/survive/receiver/survive-receiver.ts'
);
const { formatSurviveJunit } = await import('../contract/survive/report-junit.ts');
const { formatSurviveMarkdown } = await import('../contract/survive/report-markdown.ts');
const { formatSurviveReport } = await import('../contract/survive/report-text.ts');
const { runCommand } = await import('../contract/survive/run-command.ts');
const { startScenarioServer } = await import('../contract/survive/scenario-server.ts');
const { survive } = await import('../contract/survive/survive.ts');
const { wireScenarios } = await import('../contract/survive/wire-scenarios.ts');
const { operationsOf } = await import('../testing/requests/operations.ts');
const { createSchemaContext } = await import('../testing/schema-values/schema-context.ts');

const ownCommand = api === contractConfig.api ? name : `${name} --api ${shellWord(api)}`;
const progress = terminalProgress(options.json ?? false);
const onProgress = (text: string) => progress.show(text);
const onError = (error: unknown) =>
  progress.say(failureLine(error instanceof Error ? error.message : String(error)));
// The processes of the tests end with this one, but only if it exits by itself.
if (!options.serve) onShutdown(() => process.exit(130));
try {
  if (args.length === 0 && !options.list && !options.serve && options.receiver === undefined)
    throw new Error(`The test command is missing. Run, for example: ${name} -- npm test`);
  onProgress('Compiling the contract.');
  const document = await loadContract(api, { allowOutside });
  const promises = await readPromises(api, promisesFile);
  if (options.receiver === undefined) await testClient(document, promises);
  else await testReceiver(document, promises, options.receiver);
} catch (error) {
  progress.end();
  reportFailure(error, options.json);
}

async function testClient(document: OpenApiDocument, promises: Promises): Promise<void> {
  const mock = await loadMock(document, contractConfig, api, promisesFile);
  const basePath = basePathsOf(document.servers)[0] ?? '';
  assertKnown([...mock.scenarios, ...wireScenarios]);
  if (options.list) return list([...mock.scenarios, ...wireScenarios]);
  if (options.serve) return serve(mock, basePath);
  const report = await survive({
    ...{ mock, basePath, token: mockToken, onError, onProgress },
    run: (environment, timeoutMs) => runCommand(args, environment, timeoutMs),
    only,
    variables: env,
    jobs: Math.max(1, options.jobs),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1_000 }),
  });
  await tell(report, {
    promises,
    operations: operationsOf(createSchemaContext(document)),
    sourceMap: createSourceMap(api, { allowOutside }),
    pointerOf: responsePointer,
    command: `${ownCommand} --serve --port ${options.port}`,
    serverUrl: `http://127.0.0.1:${options.port}`,
  });
}

async function testReceiver(document: OpenApiDocument, promises: Promises, url: string): Promise<void> {
  const names = namesIn(promises);
  assertKnown(scenariosOfReceivers(names));
  if (options.list) return list(scenariosOfReceivers(names));
  const { secretEnv } = options;
  const secret =
    args.length === 0
      ? secretEnv && process.env[secretEnv]
      : secretEnv && `whsec_${randomBytes(24).toString('base64')}`;
  if (secretEnv !== undefined && !secret)
    throw new Error(`${secretEnv} is not set. Set it to the secret of the running receiver.`);
  const stop =
    args.length === 0
      ? undefined
      : await startReceiver(args, url, secretEnv && secret ? { [secretEnv]: secret } : {});
  try {
    const report = await surviveReceiver({
      ...{ document, promises: names, only, onProgress },
      receiver: { url, secret, timeoutMs: (options.timeout ?? 10) * 1_000 },
    });
    await tell(report, {
      promises,
      operations: webhookOperations(document),
      sourceMap: createSourceMap(api, { allowOutside }),
      pointerOf: eventPointer,
      command: `${ownCommand} --receiver ${shellWord(url)}${secretEnv === undefined ? '' : ` --secret-env ${secretEnv}`}`,
      serverUrl: undefined,
    });
  } finally {
    stop?.();
  }
}

async function tell(report: SurviveReport, context: FindingsContext): Promise<void> {
  const findings = await findingsOf(report.results, context);
  progress.end();
  if (options.junit !== undefined) await writeFile(options.junit, formatSurviveJunit(report, findings));
  if (options.markdown !== undefined)
    await writeFile(options.markdown, formatSurviveMarkdown(report, findings));
  if (options.json)
    printJson({ baseline: report.baseline, findings, notApplicable: report.notApplicable }, 2);
  else printLines(formatSurviveReport(report, findings));
  if (findings.some(({ level }) => level === 'error')) process.exitCode = 1;
}

function assertKnown(scenarios: readonly { name: string }[]): void {
  const unknown = only.find((each) => !scenarios.some((known) => known.name === each));
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}. Run: ${name} --list`);
}

function list(scenarios: readonly { name: string; class: string; title: string }[]): void {
  if (options.json) printJson(scenarios, 2);
  else
    for (const each of scenarios) printLine(`${each.name.padEnd(20)} ${each.class.padEnd(13)} ${each.title}`);
}

async function serve(mock: Parameters<typeof startScenarioServer>[0], basePath: string): Promise<void> {
  const [scenario] = only;
  const server = await startScenarioServer(mock, { port: options.port, onError });
  if (scenario !== undefined) server.start({ name: scenario, operations, locations });
  progress.end();
  printLine(successLine(`The scenario ${scenario ?? 'of the examples'} listens on ${server.url}${basePath}`));
  printLines(
    `\n  Token: ${mockToken}\n  Another scenario: curl -d '{"scenario": "nulls"}' ${server.url}/_scenario`,
  );
  onShutdown(server.close);
}
