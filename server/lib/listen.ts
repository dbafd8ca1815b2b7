import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';
import { errorMessage } from './error-message.ts';

/**
 * Starts to listen.
 * @param setting how users choose another port or address, for the message: `PORT=9000 npm start`
 * @throws Error that says what is wrong with the port or the address, and what to do
 */
export async function listen(server: Server, options: ListenOptions, setting: string): Promise<void> {
  server.listen(options);
  await once(server, 'listening').catch((cause: unknown) => {
    throw new Error(`${errorMessage(cause)}\n  ${setting}`, { cause });
  });
}
