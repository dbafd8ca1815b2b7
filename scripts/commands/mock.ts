import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { contractConfig } from '../../parley-contract.config.ts';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { serverUrl } from '../../server/lib/server-url.ts';
import { isOwnContract } from '../contract/config.ts';
import { mockToken } from '../contract/mock/authenticate.ts';
import { createMock, type Mock, type MockOptions } from '../contract/mock/server.ts';
import { createStatefulMock } from '../contract/mock/stateful-server.ts';
import { onShutdown } from '../lib/on-shutdown.ts';
import { mockPort, parsePort } from '../lib/ports.ts';
import { failureLine, printLine, successLine } from '../lib/terminal.ts';
import { watchContract } from '../lib/watch-contract.ts';

ignoreBrokenPipe();

const program = exitWithUsageCode(new Command('npm run mock --'))
  .description("Serve the contract's examples, behind the server's own checks.")
  .option('--api <file>', 'the contract to serve', contractConfig.api)
  .option('--host <address>', 'the address to listen on', '127.0.0.1')
  .option('--port <port>', 'the port to listen on; 0 takes a free one', parsePort, mockPort)
  .addOption(
    new Option(
      '--dynamic',
      "make answers up by the contract's schemas instead of giving its examples",
    ).conflicts('stateful'),
  )
  .option(
    '--seed <number>',
    'what is made up is made by it: the same number, the same answers',
    wholeNumber,
    1,
  )
  .option('--stateful', 'answer like the service: on a database in memory, with the demo company in it')
  .addHelpText(
    'after',
    `
Examples:
  npm run mock
  npm run mock -- --stateful
  npm run mock -- --dynamic --seed 7
  npm run mock -- --port 0 --api other/openapi.yaml

Prefer: code=404 asks for another documented answer, Prefer: example=NAME for another example, Prefer: dynamic=true
for one that is made up; Prefer: dynamic=true, seed=7 for another of those. The mock follows the contract's files when
they change. All this is not for --stateful, where what is made is there until the mock ends. The token
ply_mock_everything may do everything; others name their scopes: ply_mock_contacts.read+fields.read.`,
  );
const { api, host, port, stateful, dynamic, seed } = program
  .parse()
  .opts<{ api: string; host: string; port: number; seed: number; stateful?: true; dynamic?: true }>();

try {
  if (stateful && !isOwnContract(contractConfig, api))
    throw new Error('only our own contract has a service to answer like: --stateful goes without --api.');
  const tell: Pick<MockOptions, 'onResponse' | 'onError'> = {
    onResponse: ({ method, operation, status, durationMs }) =>
      printLine(`${status} ${method} ${operation ?? '(no operation)'} ${durationMs.toFixed(1)} ms`),
    onError: (error) =>
      printLine(failureLine(error instanceof Error ? error.message : String(error)), 'error'),
  };
  const mock: Pick<Mock, 'server'> & Partial<Mock> = stateful
    ? await createStatefulMock(contractConfig, tell)
    : await createMock({ config: contractConfig, api, seed, dynamic: dynamic === true, ...tell });
  const { server } = mock;
  server.listen(port, host);
  await once(server, 'listening');
  const address = serverUrl(server, host);
  const manner = stateful ? 'with a memory' : dynamic ? `made up, by the seed ${seed}` : 'by example';
  printLine(successLine(`The mock of ${api}, ${manner}, listens on ${address}`));
  if (isOwnContract(contractConfig, api))
    printLine(
      `\n  Token: ${mockToken}\n\n  curl -H 'Authorization: Bearer ${mockToken}' '${address}/api/v1/contacts'\n`,
    );
  const unwatch = mock.reload ? watchContract(api, follow(mock.reload)) : () => {};
  const stop = () => {
    unwatch();
    server.close();
    server.closeAllConnections();
  };
  onShutdown(stop);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const hint = message.includes('EADDRINUSE') ? '\n  Choose another port: npm run mock -- --port 4011' : '';
  printLine(failureLine(`The mock cannot start: ${message}${hint}`), 'error');
  process.exitCode = 1;
}

/** If the contract cannot be read, the mock stays unchanged. */
function follow(reload: () => Promise<boolean>): () => Promise<void> {
  return () =>
    reload().then(
      (changed) => {
        if (changed) printLine(successLine(`${api} has changed, and the mock with it.`));
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        printLine(
          failureLine(`${api} has changed, but cannot be read; the mock stays as it was.\n  ${message}`),
          'error',
        );
      },
    );
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of up to nine digits.');
}
