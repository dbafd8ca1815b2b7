import { Option } from 'commander';
import { errorMessage } from '../../server/lib/error-message.ts';
import { listen } from '../../server/lib/listen.ts';
import { serverUrl } from '../../server/lib/server-url.ts';
import { isOwnContract } from '../contract/config.ts';
import { type ApiOptions, contractCommand } from '../contract/contract-command.ts';
import { mockToken } from '../contract/mock/authenticate.ts';
import { credentialHeaders, credentialParameters } from '../contract/mock/credential-headers.ts';
import type { MockServerOptions } from '../contract/mock-server/server.ts';
import type { Contract } from '../contract/model/contract.ts';
import { commandIo } from '../lib/command-io.ts';
import { localUrl, pathOfCaller, repeated, timestamp, wholeNumber } from '../lib/option-parsers.ts';
import { mockPort, parsePort } from '../lib/ports.ts';
import { shellQuoted } from '../lib/shell-text.ts';
import { failureLine, printLine, printLines, successLine } from '../lib/terminal.ts';
import { watchContract } from '../lib/watch-contract.ts';

interface Options extends ApiOptions {
  allowOrigin: string[];
  allowHost: string[];
  host: string;
  port: number;
  seed: number;
  delay: number;
  now?: number;
  data?: string;
  webhooksTo?: string;
  scenarios?: string;
  scenario?: string;
  stateful?: true;
  dynamic?: true;
}

const statefulHelp = `, except with --stateful, which keeps created data until the mock ends, or until POST
/_mock/reset. There, POST /_mock/messages simulates a message from a contact, and POST /_mock/conversations reads
or closes a conversation: {"conversation_id": 880, "read": true, "closed": true}`;

export const mock = contractCommand<Options>({
  declare(program, contractConfig, name) {
    const isStateless = contractConfig.startStatefulService === undefined;
    const stateful = (flags: string, what: string) => new Option(flags, what).hideHelp(isStateless);
    const tokens =
      contractConfig.mockTokens === 'scoped'
        ? `\nThe token ${mockToken} has all scopes; other tokens list their scopes: ply_mock_contacts.read+fields.read.`
        : '';

    return program
      .description("Serve the contract's examples, and validate requests like the service.")
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option('--port <port>', 'port to listen on; 0 takes a free one', parsePort, mockPort)
      .option(
        '--allow-origin <origin>',
        'origin of pages that may call the mock, besides those of this machine; can be repeated',
        repeated,
        [],
      )
      .option(
        '--allow-host <name>',
        'name with a dot under which clients reach the mock, besides localhost; can be repeated',
        repeated,
        [],
      )
      .addOption(
        new Option(
          '--dynamic',
          'generate responses from the schemas instead of returning examples',
        ).conflicts('stateful'),
      )
      .option('--seed <number>', 'seed of generated responses', wholeNumber, 1)
      .option('--delay <ms>', 'delay of each response, in milliseconds', wholeNumber, 0)
      .addOption(stateful('--stateful', 'run the service in memory, with demo data'))
      .addOption(
        stateful(
          '--now <time>',
          'with --stateful: fixed time of the service, such as 2026-03-09T12:00:00Z',
        ).argParser(timestamp),
      )
      .addOption(
        stateful(
          '--data <file>',
          'with --stateful: NDJSON file to import, as for npm run parley -- import',
        ).argParser(pathOfCaller),
      )
      .addOption(
        stateful(
          '--webhooks-to <url>',
          'with --stateful: URL on this machine that gets the events of all webhooks',
        ).argParser(localUrl),
      )
      .option('--scenarios <file>', 'YAML or JSON file with named scenarios', pathOfCaller)
      .option('--scenario <name>', 'scenario to start with; POST /_mock/scenario changes it')
      .addHelpText(
        'after',
        `
Examples:
  ${name}
  ${name} --dynamic --seed 7
  ${name} --port 0 --api other/openapi.yaml

Choose a response with the Prefer header: code=404 for another documented status, example=NAME for another example,
dynamic=true for a generated one, and dynamic=true, seed=7 for another generated one. wait=2 delays a response by 2 s. The
response header Mock-Ignored-Preferences names preferences without effect. A scenario gives requests of an operation a Prefer
header, such as {"slow": {"listContacts": {"prefer": "wait=2"}}}; scenario=NAME selects one for a request. The mock reloads the
contract when its files change${isStateless ? '' : statefulHelp}.${tokens}`,
      );
  },
  async run(options, { name, settings: contractConfig }) {
    const { api, allowOutside, host, port, dynamic = false, seed } = options;
    const { now, data, webhooksTo } = options;
    // Imported lazily, so that --help and usage errors stay fast.
    const { locateNote } = await import('../contract/load/diagnosis.ts');
    const { unenforcedOperations } = await import('../contract/doctor/unenforced-operations.ts');
    const { validateExamples } = await import('../contract/check/checks/examples.ts');
    const { createMockServer } = await import('../contract/mock-server/server.ts');
    const { loadContract } = await import('../contract/load/load-contract.ts');

    const config = { ...contractConfig, allowOutside };
    if (options.stateful && !(contractConfig.startStatefulService && isOwnContract(contractConfig, api)))
      throw new Error('--stateful works only with a contract whose settings have startStatefulService.');
    const [option] =
      Object.entries({ now, data, 'webhooks-to': webhooksTo }).find(([, value]) => value) ?? [];
    if (option && !options.stateful)
      throw new Error(`--${option} needs --stateful: ${name} --stateful --${option} …`);
    const tell: Pick<MockServerOptions, 'onResponse' | 'onError' | 'onControl'> = {
      onControl: (status, request) => printLine(`${status} ${request}`),
      onResponse: ({ method, operation, status, durationMs }) =>
        printLine(`${status} ${method} ${operation ?? '(no operation)'} ${durationMs.toFixed(1)} ms`),
      onError: (error) => printLine(failureLine(errorMessage(error)), 'error'),
    };
    const scenarios = await scenariosFrom(options, () => loadContract(api, { allowOutside }));
    const callers = {
      origins: options.allowOrigin,
      hosts: [host, ...options.allowHost],
      onRejected: (reason: string) => printLine(failureLine(`403 ${reason}`), 'error'),
    };
    const controls = { delayMs: options.delay, scenarios };
    const { server, contract, reload } = await createMockServer({
      ...{ config, api, seed, dynamic, controls, callers, ...tell },
      ...(options.stateful && {
        stateful: {
          ...{ data, webhooksTo },
          onDelivery: ({ type, result }) => printLine(`${result} event ${type}`),
          ...(now === undefined ? {} : { now: () => now }),
        },
      }),
    });
    await listen(server, { port, host }, `Choose another port: ${name} --port 4011`);
    const address = serverUrl(server, host);
    const generated = dynamic ? `generated, with the seed ${seed}` : 'by example';
    const manner = options.stateful ? 'with a memory' : generated;
    printLine(successLine(`The mock of ${api}, ${manner}, listens on ${address}`));
    for (const note of unenforcedOperations(contract))
      printLine(failureLine(await locateNote(api, note, contract.locate)), 'error');
    for (const { where, problems } of validateExamples(contract))
      if (problems.length > 0)
        printLine(
          failureLine(`The example of ${where} is invalid, so the mock generates a value: ${problems[0]}`),
          'error',
        );
    const isScoped = contractConfig.mockTokens === 'scoped' && isOwnContract(contractConfig, api);
    if (isScoped) printLines(`\n  Token: ${mockToken}`);
    const curl = curlOf(contract, address, isScoped);
    if (curl !== undefined) printLines(`\n  ${curl}\n`);
    const unwatch = options.stateful ? () => {} : watchContract(api, follow(api, reload));
    const stop = () => {
      unwatch();
      server.close();
      server.closeAllConnections();
    };
    commandIo().onShutdown(stop);
    return 0;
  },
});

/** Creates a callback that reloads the mock. If the contract cannot be read, the mock keeps the last valid version. */
function follow(api: string, reload: () => Promise<boolean>): () => Promise<void> {
  return () =>
    reload().then(
      (changed) => {
        if (changed) printLine(successLine(`Reloaded ${api}.`));
      },
      (error: unknown) => {
        const message = errorMessage(error);
        printLine(
          failureLine(
            `${api} has changed, but cannot be read. The mock keeps the last version.\n  ${message}`,
          ),
          'error',
        );
      },
    );
}

async function scenariosFrom(
  { scenarios: file, scenario }: { scenarios?: string; scenario?: string },
  load: () => Promise<Contract>,
) {
  if (file === undefined) {
    if (scenario !== undefined) throw new Error('--scenario needs --scenarios FILE.');
    return undefined;
  }
  const { createScenarioState } = await import('../contract/mock/scenarios/scenario-state.ts');
  const { readScenarios } = await import('../contract/mock-server/read-scenarios.ts');
  const ids = (await load()).operations.map(({ id }) => id);
  return createScenarioState(
    await readScenarios(file, ids),
    scenario === undefined ? undefined : { name: scenario },
  );
}

/**
 * Returns a curl command with the first GET operation that has no path parameters, or undefined if each has some.
 * @param address the URL of the mock
 * @param isScoped whether the mock accepts only mock tokens
 */
function curlOf(contract: Contract, address: string, isScoped: boolean): string | undefined {
  const list = contract.operations.find(({ method, path }) => method === 'get' && !path.includes('{'));
  if (!list) return undefined;
  const [schemes = []] = list.securitySchemes;
  const token = isScoped ? mockToken : 'token';
  const options = credentialHeaders(schemes, token).map(
    ({ name, value }) => `-H ${shellQuoted(`${name}: ${value}`)} `,
  );
  const query = String(new URLSearchParams(credentialParameters(schemes).map((name) => [name, token])));
  const url = `${address}${contract.basePaths[0] ?? ''}${list.path}${query && `?${query}`}`;
  return `curl ${options.join('')}${shellQuoted(url)}`;
}
