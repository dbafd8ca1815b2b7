import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { contractCommand } from '../contract/contract-command.ts';
import { commandIo } from '../lib/command-io.ts';
import { repeated, wholeNumber } from '../lib/option-parsers.ts';
import { parsePort } from '../lib/ports.ts';
import type { SurviveOptions } from './survive-client.ts';

export const survive = contractCommand<SurviveOptions>({
  declare: (program, _config, name) =>
    program
      .description(
        'Test whether a client survives everything that a contract allows. It runs your test command against a server that speaks the contract: once with its examples, then with each scenario.',
      )
      .argument('[command...]', 'test command, after --')
      .option('--env <name>', 'variable that also gets the URL of the server; can be repeated', repeated)
      .option('--scenario <name>', 'run only this scenario; can be repeated', repeated)
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
      .option('--list', 'list the scenarios')
      .option('--serve', 'only start the server, with the one --scenario')
      .option('--port <port>', 'with --serve: port to listen on', parsePort, 4020)
      .option(
        '--operation <id>',
        'with --serve: change only responses of this operation; can be repeated',
        repeated,
      )
      .option(
        '--location <pointer>',
        'with --serve: change only this value of bodies; can be repeated',
        repeated,
      )
      .option('--json', 'print the report as JSON')
      .addHelpText(
        'after',
        `
Examples:
  ${name} -- npm test
  ${name} --env API_URL -- npx vitest run test/client
  ${name} --scenario nulls --scenario new-properties -- pytest
  ${name} --serve --scenario login-page

The tests find the server's URL in SURVIVE_URL, and a token in SURVIVE_TOKEN. Tests that expect the examples of the contract
say most about a client; with \`survived\` of parley-contract/survived they also say what the client returned. A scenario that
changes values or returns errors makes such tests fail, which is not a finding: only results passed to \`survived\`, crashes,
time-outs and wrong requests are.

All scenarios that should have no effect are tried in one run. If runs disturb each other, set --jobs 1; what fails is always run
again alone.

Exit codes: 0 the client survives (responses of proxies and networks only warn), 1 there are errors, 2 usage error, the
tests fail without a scenario, or no scenario applies.`,
      ),
  async run(options, invocation) {
    const { name, args, progress } = invocation;
    // The processes of the tests end with this one, but only if it exits by itself.
    if (!options.serve) commandIo().onInterrupt(() => {});
    if (args.length === 0 && !options.list && !options.serve)
      throw new Error(`The test command is missing. Run, for example: ${name} -- npm test`);
    progress.show('Compiling the contract.');
    const { surviveClient } = await import('./survive-client.ts');
    return surviveClient(options, invocation);
  },
});
