import { isIPv6 } from 'node:net';

/**
 * The IPv4 address that an IPv6 address stands for: the last four bytes of mapped and compatible ones and of
 * those behind a translator (RFC 4291, 2.5.5; RFC 6052), bytes three to six of 6to4 (RFC 3056).
 */
export function embeddedIn(address: string): string[] {
  if (!isIPv6(address)) return [];
  const groups = groupsOf(address);
  const dotted = (at: number) =>
    groups
      .slice(at, at + 2)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return groups[0] === 0x2002 ? [dotted(1)] : [dotted(6)];
}

/** The eight groups of an IPv6 address; `URL` brings every spelling to hexadecimal. */
function groupsOf(address: string): number[] {
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
