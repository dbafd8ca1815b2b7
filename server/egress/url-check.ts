import { isIP } from 'node:net';
import { type EgressPolicy, isAllowed } from './policy.ts';

/**
 * What is wrong with a webhook's URL as it is written; nothing of its host is looked up.
 * @returns undefined where it may be used
 */
export function checkUrl(text: string, policy: EgressPolicy): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'is no URL';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowHttp))
    return policy.allowHttp ? 'must begin with https:// or http://' : 'must begin with https://';
  // `URL` reads fewer or more slashes as two, and would find a user name behind them.
  if (!/^[a-z]+:\/\/[^/\\]/i.test(text)) return 'must have a host behind two slashes';
  // Also an empty one, which `URL` drops.
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(text) || url.username + url.password !== '')
    return 'may not hold a user name or password';
  if (hostOf(url) === '') return 'names no host';
  if (text.includes('#')) return 'may not hold a fragment, which never travels';
  if (url.port === '0') return 'names a port that cannot be called';
  const literal = ipLiteralOf(url);
  return literal !== undefined && !isAllowed(literal, policy) ? notPublicMessage : undefined;
}

/** Which address it is stays unsaid: it would tell strangers what our name servers know. */
export const notPublicMessage = 'leads to an address that is not public';

/** The host's name, without the dots that may end it. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/\.+$/, '').toLowerCase();

/** The address that a host names by itself; `URL` has brought other ways of writing it to the usual one. */
export function ipLiteralOf(url: URL): string | undefined {
  const host = hostOf(url).replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return host;
  // RFC 6761, 6.3: such names never leave the machine.
  return host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : undefined;
}
