import { BlockList, isIP, isIPv6 } from 'node:net';
import { forbiddenIpv4, forbiddenIpv6, metadata, type Range } from './ranges.ts';

/** What the operator allows beyond public addresses over https. */
export interface AddressPolicy {
  allowHttp: boolean;
  /** Networks in CIDR notation, as in `10.0.0.0/8`. */
  allowedNetworks: readonly string[];
}

export const strictest: AddressPolicy = { allowHttp: false, allowedNetworks: [] };

/** A network in CIDR notation, taken apart; undefined where it is none. */
export function networkFrom(text: string): Omit<Range, 'why'> | undefined {
  const [, network = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(network)] ?? -1;
  const prefix = Number(bits);
  return bits !== '' && prefix <= most ? { network, prefix } : undefined;
}

/** Whether a webhook may lead to an address, which is a literal of either family (D48). */
export function isAllowed(address: string, { allowedNetworks }: AddressPolicy): boolean {
  if (isIP(address) === 0 || [address, ...embeddedIn(address)].some((each) => holds(never, each)))
    return false;
  return !holds(forbidden, address) || holds(listOf(allowedNetworks), address);
}

/**
 * The IPv4 address that an IPv6 address stands for: the last four bytes of mapped and compatible ones and of
 * those behind a translator (RFC 4291, 2.5.5; RFC 6052), bytes three to six of 6to4 (RFC 3056).
 */
function embeddedIn(address: string): string[] {
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

type Network = Omit<Range, 'why'>;

/** One list for each family: in a common one an IPv4 address is also taken for `::ffff:…`, its IPv6 spelling. */
type Networks = Record<'ipv4' | 'ipv6', BlockList>;

const familyOf = (address: string): keyof Networks => (isIPv6(address) ? 'ipv6' : 'ipv4');

const forbidden = networksOf([...forbiddenIpv4, ...forbiddenIpv6]);
const never = networksOf(metadata);

const known = new Map<string, Networks>();

function listOf(allowed: readonly string[]): Networks {
  const name = allowed.join(',');
  const list =
    known.get(name) ?? networksOf(allowed.map(networkFrom).filter((network) => network !== undefined));
  known.set(name, list);
  return list;
}

function networksOf(networks: readonly Network[]): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { network, prefix } of networks) {
    const family = familyOf(network);
    lists[family].addSubnet(network, prefix, family);
  }
  return lists;
}

function holds(networks: Networks, address: string): boolean {
  const family = familyOf(address);
  return networks[family].check(address, family);
}
