import { Socket } from 'node:net';

/**
 * Makes the sockets of connections, so that they can be taken away: pg itself ends a connection politely, and waits
 * for the answer of a machine that may be gone.
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
