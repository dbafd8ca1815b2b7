import { isIPv4, isIPv6 } from 'node:net';
import { ipv6Groups } from './embedded-ipv4.ts';

/**
 * Parses an address as clients and proxies write it: with or without a port, IPv6 in any notation, with brackets or a
 * zone.
 * @returns the address without port, brackets and zone: IPv6 as eight groups without `::`, an IPv4-mapped address as IPv4;
 * undefined if the text is not an IP address
 */
export function parseAddress(text: string): string | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const groups = ipv6Groups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped
    ? groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join('.')
    : groups.map((group) => group.toString(16)).join(':');
}

/** Returns the network whose requests a rate limit counts: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(text: string): string {
  const address = parseAddress(text) ?? text;
  return isIPv6(address) ? address.split(':').slice(0, 4).join(':') : address;
}
