import { isIPv6 } from 'node:net';

/**
 * Where the four bytes of an IPv4 address can stand in one of IPv6: behind prefixes of 32, 40, 48, 56, 64 and 96 bits,
 * of which those up to 64 leave byte 8 out (RFC 6052, 2.2); the last one is also that of mapped and compatible ones
 * (RFC 4291, 2.5.5), the one behind two bytes 6to4's (RFC 3056), the one behind four the server of Teredo (RFC 4380).
 */
const locations: readonly (readonly number[])[] = [
  [2, 3, 4, 5],
  [4, 5, 6, 7],
  [5, 6, 7, 9],
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
];

/** The IPv4 addresses that an IPv6 address may stand for. */
export function embeddedIpv4(address: string): string[] {
  if (!isIPv6(address)) return [];
  const bytes = ipv6Groups(address).flatMap((group) => [group >> 8, group & 0xff]);
  const plain = locations.map((location) => location.map((at) => bytes[at]).join('.'));
  // RFC 4380, 4: the client's address, each bit of it the other way round.
  const client = bytes.slice(12).map((byte) => byte ^ 0xff);
  return [...plain, client.join('.')];
}

/** The eight groups of an IPv6 address in any spelling. */
export function ipv6Groups(address: string): number[] {
  // URL brings every spelling to hexadecimal.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = plain.split('::');
  const given = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const zeros = Array<number>(8 - given(head).length - given(tail).length).fill(0);
  return plain.includes('::') ? [...given(head), ...zeros, ...given(tail)] : given(plain);
}
