import { type EgressPolicy, isAllowed, networksFor } from './policy.ts';

/**
 * Checks a webhook's URL without resolving its host.
 * @returns the reason for rejecting it, or undefined
 */
export function checkUrl(text: string, policy: EgressPolicy): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  const mayBeHttp = networksFor(policy, 'http:').length > 0;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBeHttp))
    return mayBeHttp ? 'must begin with https:// or http://' : 'must begin with https://';
  // `URL` accepts any number of slashes. With more or fewer than two, the next check would miss an empty user name.
  if (!/^[a-z]+:\/\/[^/\\]/i.test(text)) return 'must have a host after two slashes';
  // Rejects an empty user name too, which `URL` drops.
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(text) || url.username + url.password !== '')
    return 'must not contain a user name or password';
  if (hostOf(url) === '') return 'has no host';
  if (text.includes('#')) return 'must not contain a fragment, because it is never sent';
  if (url.port === '0') return 'has a port that is not allowed';
  const literal = ipLiteralOf(url);
  return literal === undefined ? undefined : whyDenied([literal], policy, url.protocol);
}

/**
 * Checks the addresses of a URL.
 * @returns why one of them is denied, or undefined. The message omits it, because it could reveal internal DNS records
 */
export function whyDenied(
  addresses: readonly string[],
  policy: EgressPolicy,
  protocol: string,
): string | undefined {
  if (!addresses.every((address) => isAllowed(address, policy, 'https:')))
    return 'resolves to an address that is not public';
  if (!addresses.every((address) => isAllowed(address, policy, protocol)))
    return 'resolves to an address that must be called over https';
  return undefined;
}

/** Returns the host without trailing dots. */
export function hostOf({ hostname }: URL): string {
  // The pattern `\.+$` would take quadratic time for dots within the host.
  let end = hostname.length;
  while (hostname[end - 1] === '.') end -= 1;
  return hostname.slice(0, end).toLowerCase();
}

/**
 * Returns the host of a URL if it is an IP address, which `URL` has normalized. For `localhost` it returns the loopback
 * address, for other names undefined.
 */
export function ipLiteralOf(url: URL): string | undefined {
  const host = hostOf(url).replace(/^\[(.*)\]$/, '$1');
  // `URL` has checked the syntax of addresses, and no other host contains a colon or only digits and dots.
  if (/:|^[\d.]+$/.test(host)) return host;
  // `localhost` and the names below it never leave the machine (RFC 6761, section 6.3).
  return host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : undefined;
}
