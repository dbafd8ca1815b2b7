import { once } from 'node:events';
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { request } from '../lib/node-http.ts';

/** Opens a connection to one of several addresses. @throws Error if all of them fail */
export type Dial = (addresses: readonly string[], port: number, signal: AbortSignal) => Promise<Socket>;

const familyOf = (address: string): 4 | 6 => (isIPv6(address) ? 6 : 4);

/** Connects to the first address, IPv4 or IPv6, that accepts the connection (RFC 8305). It does not resolve names. */
export const dialDirectly: Dial = async (addresses, port, signal) => {
  const lookup: LookupFunction = (_host, _options, respond) =>
    respond(
      null,
      addresses.map((address) => ({ address, family: familyOf(address) })),
    );
  const socket = connect({ host: 'webhook', port, lookup, autoSelectFamily: true, noDelay: true });
  await connected(socket, signal);
  return socket;
};

async function connected(socket: Socket, signal: AbortSignal): Promise<void> {
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  }
}

/**
 * Connects through a proxy, which receives the checked address instead of the host name.
 * @param proxy `http://host:port`, with user and password if it requires them
 */
export const dialThrough =
  (proxy: URL): Dial =>
  async (addresses, port, signal) => {
    let last: unknown;
    for (const address of addresses)
      try {
        return await tunnel(proxy, address, port, signal);
      } catch (error) {
        last = error;
      }
    throw last;
  };

async function tunnel(proxy: URL, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const { username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const connecting = request({
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port || 80,
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      ...(username ? { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
    },
    signal,
    agent: false,
  }).end();
  const [response, socket, head] = await once(connecting, 'connect', { signal });
  if (response.statusCode !== 200) {
    socket.destroy();
    throw new Error(`The proxy returned ${response.statusCode}.`);
  }
  // Bytes after the proxy's response are from the receiver.
  if (head.length > 0) socket.unshift(head);
  return socket;
}
