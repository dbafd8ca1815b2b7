import {
  type BlockedRange,
  blockedIpv4Ranges,
  blockedIpv6Ranges,
  cloudMetadataRanges,
} from './blocked-ranges.ts';
import { embeddedIpv4, ipv6Groups } from './embedded-ipv4.ts';

/**
 * Whether a valid IP address is public, for the mock inside pages, where Node's `BlockList` is not available. A test
 * compares it with `isAllowed`, which the service uses.
 */
export function isPublicAddress(address: string): boolean {
  const given = [address, ...embeddedIpv4(address)].map(bytesOf);
  if (given.some((bytes) => cloudMetadataRanges.some((range) => contains(range, bytes)))) return false;
  const bytes = bytesOf(address);
  return ![...blockedIpv4Ranges, ...blockedIpv6Ranges].some((range) => contains(range, bytes));
}

const bytesOf = (address: string): number[] =>
  address.includes(':')
    ? ipv6Groups(address).flatMap((group) => [group >> 8, group & 0xff])
    : address.split('.').map(Number);

function contains({ network, prefix }: Omit<BlockedRange, 'why'>, bytes: readonly number[]): boolean {
  const start = bytesOf(network);
  if (start.length !== bytes.length) return false;
  return bytes.every((byte, index) => {
    const bits = Math.min(Math.max(prefix - index * 8, 0), 8);
    return byte >> (8 - bits) === (start[index] ?? 0) >> (8 - bits);
  });
}
