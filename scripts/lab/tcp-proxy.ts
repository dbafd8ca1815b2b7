import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of the database. It can delay data, close or silence connections, and change its target. */
export interface TcpProxy {
  port: number;
  /** Forwards new connections to another port. */
  leadTo(port: number): void;
  /** Delays each chunk of data by this number of milliseconds. */
  delay(ms: number): void;
  /** Stops forwarding on open connections without closing them, as when a machine loses power. */
  silence(): void;
  /** From now on, if a client or the database closes a silent connection, the proxy does not close its own side. */
  ignoreClose(): void;
  /** Closes open connections. */
  cut(): void;
  close(): void;
}

interface Pair {
  isSilent: boolean;
  sockets: Socket[];
}

/** Starts a TCP proxy on a free port. */
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
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
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
    ignoreClose() {
      stays = true;
    },
    cut,
    close() {
      server.close();
      cut();
    },
  };
}
