import { Socket } from 'node:net';

/**
 * Creates the sockets of connections, so that they can be destroyed. pg would end a connection gracefully and wait
 * for a response.
 */
export function createSockets() {
  const open = new Set<Socket>();
  return {
    make(): Socket {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    destroyAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
