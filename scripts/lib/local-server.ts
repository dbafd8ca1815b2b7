import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { serverUrl } from '../../server/lib/server-url.ts';
import { shellWord } from './shell-text.ts';

/** Callers of a development server besides those of this machine. */
export interface AllowedCallers {
  /**
   * Origins of pages, such as `https://app.example.com`; `null` is that of pages opened from disk. Undefined if the command has
   * no options to allow callers.
   */
  origins?: readonly string[] | undefined;
  /** Names under which the server is reached. */
  hosts?: readonly string[] | undefined;
  /** Called with the reason of each rejection: browsers do not show the response to pages of other origins. */
  onRejected?: ((reason: string) => void) | undefined;
}

const isLoopback = (name: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(name.replace(/\.$/, ''));

/** Returns the host name of an origin or of a `Host` header, in lower case; empty if it is malformed. */
const nameIn = (text: string): string =>
  /[/@?#\\\s]/.test(text.replace(/^https?:\/\//, ''))
    ? ''
    : (URL.parse(text.includes('://') ? text : `http://${text}`)?.hostname ?? '');

/** Whether pages of an origin may call a development server: those of this machine, and the allowed ones. */
export const isAllowedOrigin = (origin: string, { origins = [] }: AllowedCallers = {}): boolean =>
  origins.includes(origin) || (/^https?:/.test(origin) && isLoopback(nameIn(origin)));

/**
 * Returns the origin of the page that has caused a request; undefined for programs, and for links that a user follows.
 * Browsers omit `Origin` if a page loads an image or a script, and `Referer` if the page wants that.
 */
function originOf({ origin, referer, ...headers }: IncomingHttpHeaders): string | undefined {
  if (origin !== undefined || headers['sec-fetch-site'] !== 'cross-site') return origin;
  if (headers['sec-fetch-dest'] === 'document') return undefined;
  return URL.parse(referer ?? '')?.origin ?? 'null';
}

/**
 * Returns why a development server rejects a request; undefined if it does not. A page of any website can send requests to
 * this machine, which then have the `Origin` of the page. If it points its own domain name to this machine (DNS rebinding), they
 * have its name as `Host`. It cannot do so with IP addresses, and with names without a dot, as those of containers.
 */
export function rejectionOf(headers: IncomingHttpHeaders, allowed: AllowedCallers = {}): string | undefined {
  const { host } = headers;
  const name = nameIn(host ?? 'localhost');
  const isKnown =
    isLoopback(name) ||
    isIP(name.replaceAll(/[[\]]/g, '')) > 0 ||
    /^[^.]+$/.test(name) ||
    (allowed.hosts ?? []).some((each) => each.toLowerCase() === name);
  const remedy = (text: string) => (allowed.origins === undefined ? '' : ` ${text}`);
  if (!isKnown)
    return `The host ${host} is not allowed.${remedy(`Allow it: --allow-host ${shellWord(name || 'NAME')}`)}`;
  const origin = originOf(headers);
  if (origin === undefined || isAllowedOrigin(origin, allowed)) return undefined;
  return `Pages of ${origin} are not allowed.${remedy(`Allow them: --allow-origin ${shellWord(origin)}`)}`;
}

/** Middleware for development servers: responds with 403 to callers that are not allowed, before anything else happens. */
export const allowLocalCallers =
  (allowed?: AllowedCallers) =>
  (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const detail = rejectionOf(req.headers, allowed);
    if (detail === undefined) next();
    else {
      allowed?.onRejected?.(detail);
      res.writeHead(403, { 'Content-Type': 'application/problem+json', Vary: 'Origin' });
      res.end(JSON.stringify({ title: 'Forbidden', status: 403, detail }));
    }
  };

/**
 * Makes a server listen for clients on this machine.
 * @param port 0 takes a free one
 * @returns the URL, and a function that ends the server and its connections
 */
export async function listenLocally(server: Server, port = 0): Promise<{ url: string; close: () => void }> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: serverUrl(server, '127.0.0.1'),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
