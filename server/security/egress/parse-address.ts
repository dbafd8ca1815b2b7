/** Returns the bytes of an IP address in any notation; undefined for other texts. */
export function addressBytes(address: string): number[] | undefined {
  if (!address.includes(':')) {
    const parts = address.split('.');
    const isIpv4 =
      parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part <= 255);
    return isIpv4 ? parts.map(Number) : undefined;
  }
  const isIpv6 = /^[0-9a-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`);
  return isIpv6 ? ipv6Bytes(address) : undefined;
}

/**
 * Positions of the four bytes of an IPv4 address in an IPv6 address, counted from 0. Translated addresses have a prefix
 * of 32, 40, 48, 56, 64 or 96 bits, and byte 8 is never part of the IPv4 address (RFC 6052, section 2.2). Mapped and
 * compatible addresses also have a prefix of 96 bits (RFC 4291, section 2.5.5). 6to4 has one of 16 bits (RFC 3056), and
 * the address of a Teredo server follows 32 bits (RFC 4380).
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

/** Returns the IPv4 addresses that the bytes of an IPv6 address may contain; none for those of an IPv4 address. */
export function embeddedIpv4(bytes: readonly number[]): number[][] {
  if (bytes.length !== 16) return [];
  // Teredo inverts each bit of the client's address (RFC 4380, section 4).
  const client = bytes.slice(12).map((byte) => byte ^ 0xff);
  return [...locations.map((location) => location.map((at) => bytes[at] ?? 0)), client];
}

function ipv6Bytes(address: string): number[] {
  // URL normalizes every notation to hexadecimal.
  const [head = '', tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const given = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
      .flatMap((group) => [group >> 8, group & 0xff]);
  const zeros = Array<number>(16 - given(head).length - given(tail).length).fill(0);
  return [...given(head), ...zeros, ...given(tail)];
}

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
