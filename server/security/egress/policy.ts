import { BlockList, isIP, isIPv6 } from 'node:net';
import {
  type BlockedRange,
  blockedIpv4Ranges,
  blockedIpv6Ranges,
  cloudMetadataRanges,
} from './blocked-ranges.ts';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { networksFor, withoutPrefix } from './networks-for.ts';

/** Exceptions that the operator allows, in addition to public addresses over https. */
export interface EgressPolicy {
  /** Networks in CIDR notation, as in `10.0.0.0/8`. With the prefix `http:`, webhooks may also call them over http. */
  allowedNetworks: readonly string[];
}

export const publicHttpsOnly: EgressPolicy = { allowedNetworks: [] };

/** Parses a network in CIDR notation. Returns undefined if it is invalid. */
export function parseNetwork(text: string): Omit<BlockedRange, 'why'> | undefined {
  const [, network = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(network)] ?? -1;
  const prefix = Number(bits);
  return bits !== '' && prefix <= most ? { network, prefix } : undefined;
}

/**
 * Whether a webhook may call an IP address (D48).
 * @param protocol with a colon, as in `URL`
 */
export function isAllowed(address: string, policy: EgressPolicy, protocol: string): boolean {
  if (isIP(address) === 0 || [address, ...embeddedIpv4(address)].some((each) => holds(never, each)))
    return false;
  if (protocol === 'https:' && !holds(forbidden, address)) return true;
  return holds(listOf(networksFor(policy.allowedNetworks, protocol)), address);
}

/** Whether a text is a network in the notation of `EgressPolicy`. */
export const isNetwork = (text: string): boolean => parseNetwork(withoutPrefix(text)) !== undefined;

type Network = Omit<BlockedRange, 'why'>;

/** One list per family: in a shared list, an IPv4 address would also match its IPv6 form `::ffff:…`. */
type Networks = Record<'ipv4' | 'ipv6', BlockList>;

const familyOf = (address: string): keyof Networks => (isIPv6(address) ? 'ipv6' : 'ipv4');

const forbidden = networksOf([...blockedIpv4Ranges, ...blockedIpv6Ranges]);
const never = networksOf(cloudMetadataRanges);

const known = new Map<string, Networks>();

function listOf(allowed: readonly string[]): Networks {
  const name = allowed.join(',');
  const list =
    known.get(name) ?? networksOf(allowed.map(parseNetwork).filter((network) => network !== undefined));
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
