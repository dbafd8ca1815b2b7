import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { type EgressPolicy, isAllowed } from '../egress/policy.ts';
import { EgressDenied, type ResolveHost, resolveAllowed } from '../egress/resolver.ts';
import { type Dial, dialDirectly, dialThrough } from './dial.ts';

export interface ConnectOptions {
  policy: EgressPolicy;
  resolve: ResolveHost;
  /** What all connections go through; the address at its other end is not seen from here. */
  proxy?: URL | undefined;
  /** Certificates that are trusted beside the usual ones. */
  ca?: string | undefined;
  dial?: Dial;
  connectMs?: number;
}

/** How long it may take until a connection stands, names and TLS included (D45). */
const defaultConnectMs = 5_000;

// Of one answer 64 KiB are read at the most, of its frame less; dozens may follow each other on a connection.
const maxBytes = 4_194_304;
const watchMs = 250;

/** A socket that is closed where more comes in a short time than answers are made of: frames or interim answers without end. */
function watched(socket: Socket): Socket {
  let before = 0;
  const watch = setInterval(() => {
    if (socket.bytesRead - before > maxBytes)
      socket.destroy(new Error('More was sent than an answer is made of.'));
    before = socket.bytesRead;
  }, watchMs).unref();
  socket.once('close', () => clearInterval(watch));
  return socket;
}

/** A connection did not stand in time. */
export class ConnectTimeout extends Error {}

/**
 * Connects to where a webhook leads, and nowhere else: each address that its name has is judged, one of these very
 * addresses is called, and before a byte is written it is judged once more, as the socket says it (D48).
 */
export function createConnect(options: ConnectOptions): buildConnector.connector {
  const { connectMs = defaultConnectMs } = options;
  return (to, respond) => {
    const late = AbortSignal.timeout(connectMs);
    open(to, options, late).then(
      (socket) => respond(null, watched(socket)),
      (error: unknown) => respond(late.aborted ? inTime(error) : asError(error), null),
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
  const addresses = await before(late, resolveAllowed(url, policy, resolve));
  const socket = await before(late, dial(addresses, Number(port) || (secure ? 443 : 80), late));
  // One that breaks before anybody else listens would end the process.
  socket.on('error', () => {});
  const reached = socket.remoteAddress ?? '';
  if (!proxy && !isAllowed(reached, policy)) {
    socket.destroy();
    throw new EgressDenied(`${hostname} led to ${reached || 'nowhere'}, which is not public.`);
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
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says: the event is signed, and not sealed.
    rejectUnauthorized: true,
    ...(ca ? { ca } : {}),
  };
  // RFC 6066, 3: an address is no name of a server.
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

/** What takes longer is given up; nobody waits for its end. */
async function before<T>(late: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(late.reason);
  if (late.aborted) giveUp();
  late.addEventListener('abort', giveUp, { once: true });
  work.catch(() => {});
  try {
    return await Promise.race([work, promise]);
  } finally {
    late.removeEventListener('abort', giveUp);
  }
}

const inTime = (cause: unknown): Error => new ConnectTimeout('No connection in time.', { cause });

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
