import { once } from 'node:events';
import type { Server } from 'node:http';

/**
 * Starts to listen.
 * @param otherPort command that uses another port, for the message
 * @throws Error saying what to do if the port is in use
 */
export async function listen(server: Server, port: number, host: string, otherPort: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = message.includes('EADDRINUSE') ? `\n  Choose another port: ${otherPort}` : '';
    throw new Error(`${message}${hint}`);
  }
}
