import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSender } from '../../../server/delivery/sender.ts';
import { loopback } from './delivery-service.ts';

// The certificate and its key were created for these tests. No other program trusts the certificate.
const inFolder = (name: string): string =>
  readFileSync(new URL(`certificates/hooks.example.com.${name}`, import.meta.url), 'utf8');
const cert = inFolder('pem');

/** Sends an HTTPS request to a receiver that has a certificate for hooks.example.com. */
async function calling(name: string, ca?: string) {
  let calls = 0;
  const server = createServer({ cert, key: inFolder('key') }, (_req, res) => {
    calls += 1;
    res.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const resolve = async () => ['127.0.0.1'];
  const sender = createSender({ policy: loopback, resolve, now: Date.now, ca });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await sender.close();
  });
  const { port } = server.address() as AddressInfo;
  const result = await sender.send({
    method: 'POST',
    url: `https://${name}:${port}/`,
    headers: {},
    body: '{}',
  });
  return { ...result, calls };
}

test('sends a request over HTTPS if the certificate is trusted and matches the host', async () => {
  expect(await calling('hooks.example.com', cert)).toMatchObject({ status: 204, calls: 1 });
});

test.each([
  ['of an unknown authority', 'hooks.example.com', undefined],
  ['for another name', 'other.example.com', cert],
])('rejects a certificate %s, regardless of NODE_TLS_REJECT_UNAUTHORIZED', async (_what, name, ca) => {
  for (const reject of ['1', '0']) {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', reject);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await calling(name, ca)).toMatchObject({ problem: 'connection', calls: 0 });
  }
});
