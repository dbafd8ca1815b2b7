import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** What lies between programs and their database: it can be slow, broken, silent, or lead elsewhere. */
export interface TcpProxy {
  port: number;
  /** Where new connections lead. */
  leadTo(port: number): void;
  /** How long each piece is held back on its way, in milliseconds. */
  delay(ms: number): void;
  /** Connections that are open stay open, and nothing comes through them any more, as when a machine is gone. */
  silence(): void;
  /** From now on it does not answer the end of a silent connection, as a machine that is gone does not. */
  stay(): void;
  /** Ends what is open. */
  cut(): void;
  close(): void;
}

interface Pair {
  isSilent: boolean;
  sockets: Socket[];
}

/** A proxy for TCP on a free port of this machine. */
export async function startProxy(target: number): Promise<TcpProxy> {
  let port = target;
  let delayMs = 0;
  const pairs = new Set<Pair>();

  const forward = (pair: Pair, from: Socket, to: Socket): void => {
    from.on('data', (piece) => {
      if (pair.isSilent) return;
      if (delayMs === 0) to.write(piece);
      else setTimeout(() => !pair.isSilent && to.writable && to.write(piece), delayMs);
    });
    from.on('close', () => {
      pairs.delete(pair);
      if (!pair.isSilent) to.destroy();
    });
    from.on('end', () => {
      if (!(stays && pair.isSilent)) from.end();
    });
    from.on('error', () => {});
  };

  let stays = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
    const pair: Pair = { isSilent: false, sockets: [client, upstream] };
    pairs.add(pair);
    forward(pair, client, upstream);
    forward(pair, upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = (): void => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(next) {
      port = next;
    },
    delay(ms) {
      delayMs = ms;
    },
    silence() {
      for (const pair of pairs) pair.isSilent = true;
    },
    stay() {
      stays = true;
    },
    cut,
    close() {
      server.close();
      cut();
    },
  };
}
