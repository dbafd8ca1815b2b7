import { once } from 'node:events';
import type { Server } from 'node:http';
import { serverUrl } from '../../server/lib/server-url.ts';

/**
 * Makes a server listen for clients on this machine.
 * @param port 0 takes a free one
 * @returns the URL, and a function that ends the server and its connections
 */
export async function listenLocally(server: Server, port = 0): Promise<{ url: string; close: () => void }> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: serverUrl(server, '127.0.0.1'),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
