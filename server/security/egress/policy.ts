import {
  type BlockedRange,
  blockedIpv4Ranges,
  blockedIpv6Ranges,
  cloudMetadataRanges,
} from './blocked-ranges.ts';
import { addressBytes, embeddedIpv4 } from './parse-address.ts';

/* This module also runs in pages, so it does not use `BlockList` of Node. */

/** Exceptions that the operator allows, in addition to public addresses over https. */
export interface EgressPolicy {
  /** Networks in CIDR notation, as in `10.0.0.0/8`. With the prefix `http:`, webhooks may also call them over http. */
  allowedNetworks: readonly string[];
}

export const publicHttpsOnly: EgressPolicy = { allowedNetworks: [] };

/** Parses a network in CIDR notation. Returns undefined if it is invalid. */
export function parseNetwork(text: string): Omit<BlockedRange, 'why'> | undefined {
  const [, network = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const prefix = Number(bits);
  return bits !== '' && prefix <= 8 * (addressBytes(network)?.length ?? -1) ? { network, prefix } : undefined;
}

/** Marks networks that webhooks may call over http. */
const httpPrefix = 'http:';

const withoutPrefix = (network: string): string =>
  network.startsWith(httpPrefix) ? network.slice(httpPrefix.length) : network;

/** Whether a text is a network in the notation of `EgressPolicy`. */
export const isNetwork = (text: string): boolean => parseNetwork(withoutPrefix(text)) !== undefined;

/** Returns the allowed networks that webhooks may call with a protocol, without prefixes. @param protocol with a colon */
export const networksFor = ({ allowedNetworks }: EgressPolicy, protocol: string): string[] =>
  allowedNetworks
    .filter((network) => protocol === 'https:' || network.startsWith(httpPrefix))
    .map(withoutPrefix);

/**
 * Whether a webhook may call an IP address (D48).
 * @param protocol with a colon, as in `URL`
 */
export function isAllowed(address: string, policy: EgressPolicy, protocol: string): boolean {
  const bytes = addressBytes(address);
  if (!bytes) return false;
  const meant = [bytes, ...embeddedIpv4(bytes)];
  if (metadata.some((range) => meant.some((each) => contains(range, each)))) return false;
  if (protocol === 'https:' && !blocked.some((range) => contains(range, bytes))) return true;
  const allowed = networksFor(policy, protocol).map(parseNetwork);
  return allowed.some((network) => network !== undefined && contains(toRange(network), bytes));
}

interface Range {
  start: readonly number[];
  prefix: number;
}

const toRange = ({ network, prefix }: Omit<BlockedRange, 'why'>): Range => ({
  start: addressBytes(network) ?? [],
  prefix,
});

const blocked = [...blockedIpv4Ranges, ...blockedIpv6Ranges].map(toRange);
const metadata = cloudMetadataRanges.map(toRange);

/** Whether a range contains an address of the same family. */
const contains = ({ start, prefix }: Range, bytes: readonly number[]): boolean =>
  start.length === bytes.length &&
  bytes.every((byte, index) => {
    const ignored = 8 - Math.min(Math.max(prefix - index * 8, 0), 8);
    return byte >> ignored === (start[index] ?? 0) >> ignored;
  });
