import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { OnCleanup } from './temporary-folder.ts';

/** Listens on a free port until the end of the test. @returns the base URL */
export async function startListening(
  app: Server | RequestListener,
  onCleanup: OnCleanup = onTestFinished,
): Promise<string> {
  const server = typeof app === 'function' ? createServer(app) : app;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
