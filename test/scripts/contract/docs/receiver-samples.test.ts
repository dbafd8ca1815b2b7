import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { sampledGuides } from '../../../../scripts/guide-samples/guide-samples.ts';
import { signingKey } from '../../../../server/delivery/signing-keys.ts';
import { buildWebhookRequest } from '../../../../server/delivery/webhook-request.ts';
import { hasProgram } from '../../../support/installed-programs.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';
import { freePort, readersProject } from './reader-project.ts';

const guides = sampledGuides();

let project: string;

beforeAll(async () => {
  project = await readersProject(afterAllTests);
});

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const other = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;

/** The server that calls the function of the sample in Python. */
const pythonServer = `
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(BaseHTTPRequestHandler):
    def receive(self):
        payload = self.rfile.read(int(self.headers.get("content-length") or "0"))
        self.send_response(400 if verified_event(self.headers, payload) is None else 204)
        self.end_headers()

    do_GET = do_POST = do_PUT = receive


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
`;

/** The program of each receiver, and what runs it. */
const receivers: Record<string, (code: string, port: number) => { code: string; command: string[] }> = {
  ts: (code) => ({ code, command: [process.execPath, 'receiver.ts'] }),
  python: (code) => ({ code: code + pythonServer, command: ['python3', 'receiver.python'] }),
  php: (code, port) => ({ code, command: ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'] }),
};

const here = Object.keys(receivers).filter(
  (language) => language === 'ts' || hasProgram(language === 'php' ? 'php' : 'python3'),
);

/** Starts the receiver sample in a language. It may not listen yet when this function returns. */
async function startReceiver(language: string, itsSecret: string) {
  const sample = guides
    .flatMap(({ samples }) => samples)
    .find((each) => each.language === language && each.role.startsWith('receiver'));
  const port = await freePort();
  const receiver = sample && receivers[language]?.(sample.code, port);
  if (!receiver) throw new Error(`There is no receiver in ${language}.`);
  await writeFile(join(project, `receiver.${language}`), receiver.code);
  const [program = '', ...args] = receiver.command;
  const child = spawn(program, args, {
    cwd: project,
    // Unread output would fill the pipe and stop the receiver.
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port), PARLEY_WEBHOOK_SECRET: itsSecret },
  });
  onTestFinished(() => void child.kill());
  return { child, port, url: `http://127.0.0.1:${port}/in?shop=1` };
}

/** Sends requests until one returns the wanted status code. */
const untilStatus = (wanted: number, ask: () => Promise<Response>) => {
  const status = () =>
    ask().then(
      (response) => response.status,
      () => 0,
    );
  return expect.poll(status).toBe(wanted);
};

test.each(here)(
  'the receiver in %s accepts signed requests with each of its methods, and rejects invalid ones',
  async (language) => {
    const { child, url } = await startReceiver(language, secret);
    const failed = new Promise<never>((_done, fail) => child.on('error', fail));
    await Promise.race([untilStatus(400, () => fetch(url)), failed]);

    const call = (verb: 1 | 2 | 3 | 4, by = secret, now = Date.now()) =>
      buildWebhookRequest(
        {
          id: 'msg_31_118',
          payload: JSON.stringify(document.components.examples.MessageCreatedEvent.value),
          webhook: { verb_id: verb, url },
          keys: [by].flat().map(signingKey),
        },
        now,
      );
    const send = async ({ url: to, ...init }: ReturnType<typeof call>) => (await fetch(to, init)).status;
    // The samples in other languages take the event from the body, which GET and DELETE do not have.
    for (const verb of language === 'ts' ? ([1, 2, 3, 4] as const) : ([2, 3] as const)) {
      expect(await send(call(verb)), `verb ${verb}`).toBe(204);
      expect(await send(call(verb, other)), `verb ${verb}, another secret`).toBe(400);
      expect(await send(call(verb, secret, Date.now() - 400_000)), `verb ${verb}, old`).toBe(400);
    }
    const sound = call(3);
    expect(await send({ ...sound, body: `${sound.body} ` })).toBe(400);
    const { 'webhook-signature': signature, ...unsigned } = sound.headers;
    expect(await send({ ...sound, headers: unsigned })).toBe(400);
    // While a secret is rotated, a request has two signatures, and one valid signature is enough.
    const [left = '', right = ''] = [call(3, other).headers['webhook-signature'], signature];
    expect(await send({ ...sound, headers: { ...unsigned, 'webhook-signature': `${left} ${right}` } })).toBe(
      204,
    );
    child.kill();
    await once(child, 'exit');
  },
);

// TypeScript is excluded: the client library rejects an empty secret, which its own tests check.
test.each(here.filter((language) => language !== 'ts'))(
  'the receiver in %s accepts no request if its secret is empty',
  async (language) => {
    const { child, url } = await startReceiver(language, '');
    const seconds = String(Math.floor(Date.now() / 1000));
    const body = '{"type":"message.created","data":{"id":1}}';
    const mac = createHmac('sha256', '').update(`a.${seconds}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` };
    const send = () => fetch(url, { method: 'POST', headers, body });
    // The receiver exits or returns an internal error.
    await Promise.race([untilStatus(500, send), once(child, 'exit')]);
  },
);

test('the TypeScript receiver limits bodies to 4 MiB, and survives incomplete requests', async () => {
  const { port, url } = await startReceiver('ts', secret);
  await untilStatus(400, () => fetch(url));
  const broken = connect(port, '127.0.0.1');
  await once(broken, 'connect');
  broken.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc', () => broken.destroy());
  await once(broken, 'close');
  const large = await fetch(url, { method: 'POST', body: 'x'.repeat(4_200_000) }).then(
    ({ status }) => status,
    () => 413,
  );
  expect([large, (await fetch(url)).status]).toEqual([413, 400]);
});
