import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Command } from 'commander';
import { type ReceivedRequest, verifyWebhook, WebhookError } from '../../client/webhooks.ts';
import { errorMessage } from '../lib/error-message.ts';
import { listen } from '../lib/listen.ts';
import { createServer } from '../lib/node-http.ts';
import { serverUrl } from '../lib/server-url.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { type CliIo, cliIo } from './cli-io.ts';
import { parseInteger, parsePath } from './options.ts';

interface Options {
  port: number;
  host: string;
  secretFile?: string;
  status: number;
  maxRequests?: number;
  json?: true;
}

const about = `
The webhook's secret comes from the variable WEBHOOK_SECRET or from a file.
The service sends to addresses of this machine only if its operator allows it:

  PARLEY_WEBHOOK_ALLOWED_NETWORKS=http:127.0.0.0/8 npm start

Examples:
  npm run -s parley -- webhook listen --port 9090 --secret-file secret.txt
  WEBHOOK_SECRET=whsec_… npm run -s parley -- webhook listen --port 9090

Stop it with Ctrl-C or --max-requests. Exit codes: 0 all requests were valid, 1 a request was invalid, 2 usage error.`;

export const webhookListen = (): Command =>
  new Command('listen')
    .description('Receive, verify and print events on this machine.')
    .option('--port <port>', 'port to listen on; 0 takes a free one', parseInteger(0, 65_535), 9_090)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--secret-file <file>', 'file with the signing secret', parsePath)
    .option('--status <code>', 'respond to every request with this status code', parseInteger(200, 599), 204)
    .option('--max-requests <n>', 'exit after this many requests', parseInteger(1))
    .option('--json', 'print each request as a line of JSON')
    .addHelpText('after', about)
    .action(receive);

async function receive(options: Options): Promise<void> {
  const io = cliIo();
  const secret = await readSecret(options, io);
  if (secret === undefined) return;
  let left = options.maxRequests ?? Number.POSITIVE_INFINITY;
  const server = createServer(async (req, res) => {
    try {
      const call = { url: req.url ?? '/', headers: req.headers, body: await bodyOf(req) };
      res.writeHead(options.status, { connection: 'close' }).end();
      if (left <= 0) return;
      left -= 1;
      const isValid = await printVerified({ method: req.method, call, secret }, options.json ?? false, io);
      if (!isValid) io.exitCode = 1;
      if (left <= 0) server.close();
    } catch (error) {
      // A request that cannot be read must not stop the receiver.
      io.exitCode = 1;
      io.stderr.print(`A request could not be read: ${replaceControlCharacters(errorMessage(error))}`);
      if (!res.headersSent) res.writeHead(400, { connection: 'close' }).end();
    }
  });
  const stop = () => server.close(() => {}).closeAllConnections();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    await listen(server, options, 'Choose another with --port or --host.');
    io.stderr.print(`Listening on ${serverUrl(server, options.host)}/`);
    await once(server, 'close');
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop);
  }
}

/** Returns the secret. @returns undefined if there is no valid one, which is reported */
async function readSecret({ secretFile }: Options, io: CliIo): Promise<string | undefined> {
  try {
    const secret = secretFile ? readFileSync(secretFile, 'utf8').trim() : (io.env.WEBHOOK_SECRET ?? '');
    await verifyWebhook({ url: '/', headers: {} }, { secret }).catch((error: unknown) => {
      if (!(error instanceof WebhookError)) throw error;
    });
    return secret;
  } catch (error) {
    const location = secretFile ?? 'WEBHOOK_SECRET';
    io.stderr.printMarked('✘', `${location} does not contain a webhook secret: ${errorMessage(error)}`);
    io.exitCode = 2;
    return undefined;
  }
}

// Maximum size of a request body, in bytes. Events are always smaller.
const maxBytes = 4_194_304;

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Verifies a request as receivers should, and prints the result. @returns whether it is valid */
async function printVerified(
  { method = '', call, secret }: { method: string | undefined; call: ReceivedRequest; secret: string },
  asJson: boolean,
  { stdout }: Pick<CliIo, 'stdout'>,
): Promise<boolean> {
  const { id, event, problem } = await verifyWebhook(call, { secret }).then(
    (received) => ({ ...received, problem: undefined }),
    (error: unknown) => {
      if (!(error instanceof WebhookError)) throw error;
      return { id: null, event: null, problem: error.message };
    },
  );
  if (asJson) {
    const [type, problems] = [event?.type ?? null, problem === undefined ? [] : [problem]];
    stdout.printJson({ method, url: call.url, id, type, verified: problem === undefined, problems, event });
    return problem === undefined;
  }
  const [path = ''] = call.url.split('?');
  const words = [`${method} ${path}`, id ?? 'no id', event?.type ?? 'no event', problem ?? 'verified'];
  stdout.printMarked(problem === undefined ? '✔' : '✘', words.map(replaceControlCharacters).join('  '));
  if (event) stdout.printJson(event, 2);
  return problem === undefined;
}
