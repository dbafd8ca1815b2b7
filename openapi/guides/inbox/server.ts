import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createClient } from 'parley-client';
import { verifyWebhook, WebhookError } from 'parley-client/webhooks';

const port = Number(process.env.PORT ?? 3000);
const parleyUrl = process.env.PARLEY_URL ?? 'http://127.0.0.1:4010';
const token = process.env.PARLEY_TOKEN ?? 'ply_mock_everything';
const webhookUrl = process.env.PARLEY_WEBHOOK_URL ?? 'https://inbox.example.com/webhooks';
const { id, secret } = process.env.PARLEY_WEBHOOK_SECRET
  ? { id: 'stored', secret: process.env.PARLEY_WEBHOOK_SECRET }
  : await registerWebhook().catch(({ message }: Error) =>
      end(`${message} Start the mock, or set PARLEY_URL.`),
    );

/** Ends the process with a message instead of a stack. */
function end(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Registers a webhook for `message.created`, or returns the one that an earlier start has registered. */
async function registerWebhook(): Promise<{ id: number; secret: string }> {
  const parley = createClient({ baseUrl: parleyUrl, token });
  const { data, error, response } = await parley.POST('/api/v1/webhooks', {
    // Valid for 72 hours. Use another key after you delete the webhook, rotate its secret or change the token.
    params: { header: { 'Idempotency-Key': `inbox ${webhookUrl}` } },
    body: { entity_id: 5, action_id: 1, verb_id: 3, url: webhookUrl },
  });
  if (error) throw error;
  const created = response.headers.get('Webhook-Secret');
  if (!created)
    throw new Error('The response has no Webhook-Secret. Let the proxy at PARLEY_URL pass this header.');
  return { id: data, secret: created };
}

/** The requests that a page may send. */
const allowed =
  /^(GET \/api\/v1\/(all\/conversations|conversations\/\d+|contacts\/\d+)(\?|$)|POST \/api\/v1\/messages$)/;

/** Returns the user who is logged in. Replace this with the session check of your application. */
const userOf = (_cookie: string | undefined): number | undefined => 17;

/** Returns the body of a request. @returns undefined if it has more than 4 MiB */
async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // A request to the API has at most 1 MiB; its event is slightly larger.
    if (bytes > 4_194_304) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Forwards a request of a page with the token, and returns the response unchanged. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  if (!body) return void response.writeHead(413).end();
  const headers = new Headers({ Authorization: `Bearer ${token}` });
  for (const name of ['content-type', 'idempotency-key', 'prefer'])
    if (typeof request.headers[name] === 'string') headers.set(name, request.headers[name]);
  const { method = 'GET', url = '' } = request;
  const received = await fetch(parleyUrl + url, { method, headers, body: method === 'GET' ? null : body });
  for (const name of ['content-type', 'link', 'retry-after', 'x-request-id', 'x-truncated-conversations']) {
    const value = received.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.writeHead(received.status).end(await received.bytes());
}

/** The open pages. */
const pages = new Set<ServerResponse>();

/** Sends changes to a page from now on (Server-Sent Events). */
function openChanges(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(': connected\n\n');
  pages.add(response);
  response.on('close', () => pages.delete(response));
}

// Proxies close connections that are idle for about a minute.
setInterval(() => {
  for (const page of pages) page.write(': keep open\n\n');
}, 20_000).unref();

/** Receives an event, and tells all pages which conversation changed. */
async function receiveEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  if (!body) return void response.writeHead(413).end();
  const { form, event } = await verifyWebhook(
    { headers: request.headers, url: request.url ?? '', body },
    { secret },
  );
  // A page loads the conversation again, so an event that arrives twice does no harm.
  if (form === 'full' && event.type === 'message.created')
    for (const page of pages) page.write(`data: {"conversation": ${event.data.conversation_id}}\n\n`);
  response.writeHead(204).end();
}

const server = createServer(async (request, response) => {
  try {
    if (request.url === '/webhooks') return await receiveEvent(request, response);
    if (userOf(request.headers.cookie) === undefined) return response.writeHead(401).end();
    if (request.url === '/changes') return openChanges(response);
    if (!allowed.test(`${request.method} ${request.url}`)) return response.writeHead(404).end();
    await forward(request, response);
  } catch (error) {
    if (!response.headersSent) response.writeHead(error instanceof WebhookError ? 400 : 502);
    response.end();
  }
}).listen(port, '127.0.0.1');
await once(server, 'listening').catch(({ message }: Error) =>
  end(`${message}. Choose another port: PORT=3001 npm run server`),
);
process.stdout.write(`Listening at http://127.0.0.1:${port}. Webhook: ${id}.\n`);
