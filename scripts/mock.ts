import { once } from 'node:events';
import { Command, InvalidArgumentError } from 'commander';
import { exitWithTwoOnMisuse, ignoreClosedPipes, whenNpmIsGone } from '../server/command-line.ts';
import { addressOf } from '../server/pipeline/http-server.ts';
import { mockToken } from './mock/authenticate.ts';
import { createMock, isOwn, type MockOptions, ownContract } from './mock/server.ts';
import { createStatefulMock } from './mock/stateful.ts';
import { bad, good, say } from './terminal.ts';

ignoreClosedPipes();

const program = exitWithTwoOnMisuse(new Command('npm run mock --'))
  .description("Serve the contract's examples, behind the server's own checks.")
  .option('--api <file>', 'the contract to serve', ownContract)
  .option('--host <address>', 'the address to listen on', '127.0.0.1')
  .option('--port <port>', 'the port to listen on; 0 takes a free one', portFrom, 4010)
  .option('--stateful', 'answer like the service: on a database in memory, with the demo company in it')
  .addHelpText(
    'after',
    `
Examples:
  npm run mock
  npm run mock -- --stateful
  npm run mock -- --port 0 --api other/openapi.yaml

Prefer: code=404 asks for another documented answer, Prefer: example=NAME for another example. With --stateful
what is made is there until the mock ends. The token ply_mock_everything may do everything; others name their
scopes: ply_mock_contacts.read+fields.read.`,
  );
const { api, host, port, stateful } = program
  .parse()
  .opts<{ api: string; host: string; port: number; stateful?: true }>();

try {
  if (stateful && !isOwn(api))
    throw new Error('only our own contract has a service to answer like: --stateful goes without --api.');
  const tell: Pick<MockOptions, 'onAnswered' | 'onFault'> = {
    onAnswered: ({ method, operation, status, durationMs }) =>
      say(`${status} ${method} ${operation ?? '(no operation)'} ${durationMs.toFixed(1)} ms`),
    onFault: (error) => say(bad(error instanceof Error ? error.message : String(error)), 'error'),
  };
  const server = stateful ? (await createStatefulMock(tell)).server : await createMock({ api, ...tell });
  server.listen(port, host);
  await once(server, 'listening');
  const address = addressOf(server, host);
  say(good(`The mock of ${api} listens on ${address}`));
  if (isOwn(api))
    say(
      `\n  Token: ${mockToken}\n\n  curl -H 'Authorization: Bearer ${mockToken}' '${address}/api/v1/contacts'\n`,
    );
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  whenNpmIsGone(stop);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const hint = message.includes('EADDRINUSE') ? '\n  Choose another port: npm run mock -- --port 4011' : '';
  say(bad(`The mock cannot start: ${message}${hint}`), 'error');
  process.exitCode = 1;
}

function portFrom(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}
