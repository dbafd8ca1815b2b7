import { addressBytes } from './address-bytes.ts';

/**
 * Parses an address as clients and proxies write it: with or without a port, IPv6 in any notation, with brackets or a
 * zone.
 * @returns the address without port, brackets and zone: IPv6 as eight groups without `::`, an IPv4-mapped address as IPv4;
 * undefined if the text is not an IP address
 */
export function parseAddress(text: string): string | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  const bytes = addressBytes(address);
  if (!bytes) return undefined;
  const isMapped = bytes.slice(0, -4).join() === '0,0,0,0,0,0,0,0,0,0,255,255';
  if (bytes.length === 4 || isMapped) return bytes.slice(-4).join('.');
  const groupAt = (at: number) => 256 * (bytes[at] ?? 0) + (bytes[at + 1] ?? 0);
  return [0, 2, 4, 6, 8, 10, 12, 14].map((at) => groupAt(at).toString(16)).join(':');
}

/** Returns the network whose requests a rate limit counts: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  return address?.includes(':') ? address.split(':').slice(0, 4).join(':') : (address ?? text);
}
