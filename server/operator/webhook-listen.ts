import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { errorMessage } from '../lib/error-message.ts';
import { createServer } from '../lib/node-http.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { validateReceivedEvent } from '../own-contract/events.ts';
import { type CliIo, cliIo } from './cli-io.ts';
import { parseInteger, parsePath } from './options.ts';

/** A received webhook request. */
interface ReceivedWebhook {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The result of verifying a request. */
interface Verification {
  id: string | null;
  type: string | null;
  /** Whether the signature is valid; null if no secret was given. */
  verified: boolean | null;
  /** The reasons why the request is invalid. */
  problems: string[];
  event: unknown;
}

const methods: readonly string[] = ['GET', 'PUT', 'POST', 'DELETE'];

/**
 * Verifies a request as receivers should: the signature over the JSON, then the event against the contract.
 * @param verifier undefined if the secret is unknown
 */
function verifyReceived(
  { method, url, headers, body }: ReceivedWebhook,
  verifier: Webhook | undefined,
): Verification {
  const bodiless = method === 'GET' || method === 'DELETE';
  const parameter = new URLSearchParams(url.split('?')[1] ?? '').get('payload') ?? '';
  const content = bodiless ? Buffer.from(parameter, 'base64url').toString() : body;
  const event = parsed(content);
  const wrongSignature = verifier && signatureProblem(content, headers, verifier);
  const contract = validateReceivedEvent(event, bodiless ? 'short' : 'full');
  return {
    id: headers['webhook-id'] ?? null,
    type: typeOf(event),
    verified: verifier ? wrongSignature === undefined : null,
    problems: [
      ...(methods.includes(method) ? [] : [`${method} is not a method of webhooks`]),
      ...(wrongSignature === undefined ? [] : [wrongSignature]),
      ...contract.map(({ field, message }) => `${field || 'the event'} ${message}`),
    ],
    event: event ?? null,
  };
}

function signatureProblem(
  content: string,
  headers: Record<string, string>,
  verifier: Webhook,
): string | undefined {
  // This is checked here, because the library accepts every value that begins with digits.
  if (!/^\d+$/.test(headers['webhook-timestamp'] ?? ''))
    return 'webhook-timestamp is not a number of seconds';
  try {
    verifier.verify(content, headers, { jsonParse: false });
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return `the signature is invalid: ${error.message}`;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const typeOf = (event: unknown): string | null =>
  typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
    ? event.type
    : null;

interface Options {
  port: number;
  host: string;
  secretFile?: string;
  status: number;
  maxRequests?: number;
  json?: true;
}

const about = `
The webhook's secret comes from the variable WEBHOOK_SECRET or from a file. Without a secret, nothing is verified.
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
    .action(listen);

async function listen(options: Options): Promise<void> {
  const io = cliIo();
  const verifier = verifierOf(options, io);
  if (verifier === 'none') return;
  let left = options.maxRequests ?? Number.POSITIVE_INFINITY;
  const server = createServer(async (req, res) => {
    try {
      const call = await received(req);
      res.writeHead(options.status, { connection: 'close' }).end();
      if (left <= 0) return;
      if (printVerification(call, verifier, options.json ?? false, io) > 0) io.exitCode = 1;
      left -= 1;
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
  server.listen(options.port, options.host);
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const host = options.host.includes(':') ? `[${options.host}]` : options.host;
    io.stderr.print(
      `Listening on http://${host}:${port}/${verifier ? '' : ', without verification (no secret)'}`,
    );
    await once(server, 'close');
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop);
  }
}

/** Creates the verifier. @returns undefined without a secret, or 'none' for an invalid secret, which is reported */
function verifierOf({ secretFile }: Options, io: CliIo): Webhook | undefined | 'none' {
  const location = secretFile ?? 'WEBHOOK_SECRET';
  try {
    const secret = secretFile ? readFileSync(secretFile, 'utf8').trim() : io.env.WEBHOOK_SECRET;
    return secret ? new Webhook(secret) : undefined;
  } catch (error) {
    io.stderr.printMarked('✘', `${location} does not contain a webhook secret: ${errorMessage(error)}`);
    io.exitCode = 2;
    return 'none';
  }
}

// Maximum size of a request body, in bytes. Events are always smaller.
const maxBytes = 4_194_304;

async function received(req: IncomingMessage): Promise<ReceivedWebhook> {
  const { method = '', url = '/', headersDistinct } = req;
  const headers = Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return { method, url, headers, body: Buffer.concat(parts).toString() };
}

/** Verifies a request and prints the result. @returns the number of reasons why the request is invalid */
function printVerification(
  call: ReceivedWebhook,
  verifier: Webhook | undefined,
  asJson: boolean,
  { stdout }: Pick<CliIo, 'stdout'>,
): number {
  const finding = verifyReceived(call, verifier);
  const { id, type, verified, problems, event } = finding;
  if (asJson) stdout.printJson({ method: call.method, url: call.url, ...finding });
  else {
    const verdict = { true: 'verified', false: 'not verified', null: 'not checked' }[String(verified)];
    const [path = ''] = call.url.split('?');
    stdout.printMarked(
      problems.length > 0 ? '✘' : '✔',
      `${call.method} ${replaceControlCharacters(path)}  ${replaceControlCharacters(id ?? 'no id')}  ${replaceControlCharacters(type ?? 'no event')}  ${verdict}`,
    );
    for (const problem of problems) stdout.print(`    ${replaceControlCharacters(problem)}`);
    stdout.printJson(event, 2);
  }
  return problems.length;
}
