import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { type EgressPolicy, isAllowed } from '../security/egress/policy.ts';
import { EgressDenied, type ResolveHost, resolveAllowed } from '../security/egress/resolver.ts';
import { type Dial, dialDirectly, dialThrough } from './dial.ts';

export interface ConnectOptions {
  policy: EgressPolicy;
  resolve: ResolveHost;
  /** A proxy for all connections. The address that it connects to cannot be verified from here. */
  proxy?: URL | undefined;
  /** Additional trusted certificates. */
  ca?: string | undefined;
  dial?: Dial;
  connectMs?: number;
}

/** Timeout for a connection, including name resolution and TLS, in milliseconds (D45). */
const defaultConnectMs = 5_000;

// Maximum number of bytes that a socket may receive in `watchMs`. At most 64 KiB of a response are read, plus headers,
// and dozens of responses share a connection.
const maxBytes = 4_194_304;
const watchMs = 250;

/**
 * Closes a socket that receives more data than responses can contain, such as endless frames or interim responses.
 */
function watched(socket: Socket): Socket {
  let before = 0;
  const watch = setInterval(() => {
    if (socket.bytesRead - before > maxBytes)
      socket.destroy(new Error('The receiver sent more data than a response can need.'));
    before = socket.bytesRead;
  }, watchMs).unref();
  socket.once('close', () => clearInterval(watch));
  return socket;
}

/** Establishing a connection took too long. */
export class ConnectTimeout extends Error {}

/**
 * Creates a connector to the URLs of webhooks. It resolves the host, checks each address against the egress policy,
 * connects to one of these addresses, and checks the address of the connected socket again before writing to
 * it (D48).
 */
export function createConnect(options: ConnectOptions): buildConnector.connector {
  const { connectMs = defaultConnectMs } = options;
  return (to, respond) => {
    const late = AbortSignal.timeout(connectMs);
    open(to, options, late).then(
      (socket) => respond(null, watched(socket)),
      (error: unknown) => respond(late.aborted ? timeoutError(error) : asError(error), null),
    );
  };
}

async function open(
  { protocol, hostname, port }: buildConnector.Options,
  options: ConnectOptions,
  late: AbortSignal,
): Promise<Socket> {
  const { policy, resolve, proxy, ca, dial = proxy ? dialThrough(proxy) : dialDirectly } = options;
  const secure = protocol === 'https:';
  const url = new URL(
    `${protocol}//${hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname}`,
  );
  const addresses = await Promise.race([resolveAllowed(url, policy, resolve), rejectWhenAborted(late)]);
  const socket = await dial(addresses, Number(port) || (secure ? 443 : 80), late);
  // An error event without a listener would end the process.
  socket.on('error', () => {});
  const reached = socket.remoteAddress ?? '';
  if (!proxy && !isAllowed(reached, policy, url.protocol)) {
    socket.destroy();
    throw new EgressDenied(`${hostname} resolved to ${reached || 'no address'}, which is not allowed.`);
  }
  return secure ? withTls(socket, { host: hostname, ca }, late) : socket;
}

async function withTls(
  socket: Socket,
  { host, ca }: { host: string; ca: string | undefined },
  late: AbortSignal,
): Promise<Socket> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const options: ConnectionOptions = {
    socket,
    host: name,
    ALPNProtocols: ['http/1.1'],
    // Certificates are verified even if NODE_TLS_REJECT_UNAUTHORIZED is 0: events are signed, but only TLS keeps them
    // confidential.
    rejectUnauthorized: true,
    ...(ca ? { ca } : {}),
  };
  // An IP address is not a server name (RFC 6066, section 3).
  const secured = connectTls(/^[\d.]+$|:/.test(name) ? options : { ...options, servername: name });
  secured.on('error', () => {});
  try {
    await once(secured, 'secureConnect', { signal: late });
    return secured;
  } catch (error) {
    secured.destroy();
    throw error;
  }
}

/** Rejects when a signal aborts. */
async function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

const timeoutError = (cause: unknown): Error => new ConnectTimeout('The connection timed out.', { cause });

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
