import type { Server } from 'node:http';

/**
 * Returns the URL of a listening server, for clients on this machine.
 * @param host the address that the server listens on
 */
export function serverUrl(server: Server, host: string): string {
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
