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
  if (isIP(address) === 0 || holds(never, address)) return false;
  return !holds(forbidden, address) || holds(listOf(allowedNetworks), address);
}

const forbidden = blockListOf([...forbiddenIpv4, ...forbiddenIpv6]);
const never = blockListOf(metadata);

const lists = new Map<string, BlockList>();

function listOf(networks: readonly string[]): BlockList {
  const name = networks.join(',');
  const list =
    lists.get(name) ?? blockListOf(networks.map(networkFrom).filter((network) => network !== undefined));
  lists.set(name, list);
  return list;
}

function blockListOf(ranges: readonly Omit<Range, 'why'>[]): BlockList {
  const list = new BlockList();
  for (const { network, prefix } of ranges)
    list.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4');
  return list;
}

const holds = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
