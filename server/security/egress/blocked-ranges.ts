/**
 * A range of addresses that webhooks may not call. The IPv4 and IPv6 ranges below are from the IANA registries of
 * special-purpose addresses (RFC 6890) and of the IPv6 address space.
 */
export interface BlockedRange {
  network: string;
  /** Length of the prefix in bits. */
  prefix: number;
  /** Purpose of the range and the document that defines it. */
  why: string;
}

export const blockedIpv4Ranges: readonly BlockedRange[] = [
  { network: '0.0.0.0', prefix: 8, why: 'this network (RFC 791)' },
  { network: '10.0.0.0', prefix: 8, why: 'private (RFC 1918)' },
  { network: '100.64.0.0', prefix: 10, why: 'shared address space of carriers (RFC 6598)' },
  { network: '127.0.0.0', prefix: 8, why: 'loopback (RFC 1122)' },
  { network: '169.254.0.0', prefix: 16, why: 'link-local, including cloud metadata (RFC 3927)' },
  { network: '172.16.0.0', prefix: 12, why: 'private (RFC 1918)' },
  { network: '192.0.0.0', prefix: 24, why: 'protocol assignments (RFC 6890)' },
  { network: '192.0.2.0', prefix: 24, why: 'documentation (RFC 5737)' },
  { network: '192.31.196.0', prefix: 24, why: 'AS112 (RFC 7535)' },
  { network: '192.52.193.0', prefix: 24, why: 'AMT (RFC 7450)' },
  { network: '192.88.99.0', prefix: 24, why: '6to4 relays (RFC 7526)' },
  { network: '192.168.0.0', prefix: 16, why: 'private (RFC 1918)' },
  { network: '192.175.48.0', prefix: 24, why: 'AS112 (RFC 7534)' },
  { network: '198.18.0.0', prefix: 15, why: 'benchmarks (RFC 2544)' },
  { network: '198.51.100.0', prefix: 24, why: 'documentation (RFC 5737)' },
  { network: '203.0.113.0', prefix: 24, why: 'documentation (RFC 5737)' },
  { network: '224.0.0.0', prefix: 4, why: 'multicast (RFC 5771)' },
  { network: '240.0.0.0', prefix: 4, why: 'reserved, and broadcast (RFC 1112, RFC 919)' },
];

/**
 * Only 2000::/3 is assigned as global unicast (IANA IPv6 address space). The first three ranges block all other
 * addresses. The remaining ranges are special-purpose addresses within 2000::/3.
 */
export const blockedIpv6Ranges: readonly BlockedRange[] = [
  {
    network: '::',
    prefix: 3,
    why: 'not global unicast: unspecified, loopback, IPv4-mapped and -compatible, NAT64 (RFC 4291, RFC 6052, RFC 8215)',
  },
  { network: '4000::', prefix: 2, why: 'not global unicast: SRv6 (RFC 9602)' },
  {
    network: '8000::',
    prefix: 1,
    why: 'not global unicast: unique local, link-local, site-local, multicast (RFC 4193, RFC 4291, RFC 3879)',
  },
  { network: '2001::', prefix: 23, why: 'protocol assignments, including Teredo (RFC 2928, RFC 4380)' },
  { network: '2001:db8::', prefix: 32, why: 'documentation (RFC 3849)' },
  { network: '2002::', prefix: 16, why: '6to4: an embedded IPv4 address (RFC 3056)' },
  { network: '2620:4f:8000::', prefix: 48, why: 'AS112 (RFC 7534)' },
  { network: '3fff::', prefix: 20, why: 'documentation (RFC 9637)' },
];

/**
 * Metadata services of cloud providers, which return credentials. They are blocked even if the operator allows their
 * network.
 */
export const cloudMetadataRanges: readonly BlockedRange[] = [
  { network: '169.254.169.254', prefix: 32, why: 'AWS, Azure, Google Cloud and others' },
  { network: '169.254.169.252', prefix: 32, why: 'Google Cloud, pods' },
  { network: '169.254.42.42', prefix: 32, why: 'Scaleway' },
  { network: '169.254.0.23', prefix: 32, why: 'Tencent Cloud' },
  { network: '169.254.170.2', prefix: 32, why: 'AWS, containers' },
  { network: '169.254.170.23', prefix: 32, why: 'AWS, pods' },
  { network: '100.100.100.200', prefix: 32, why: 'Alibaba Cloud' },
  { network: '168.63.129.16', prefix: 32, why: 'Azure' },
  { network: '192.0.0.192', prefix: 32, why: 'Oracle Cloud' },
  { network: 'fd00:ec2::254', prefix: 128, why: 'AWS' },
  { network: 'fd00:ec2::23', prefix: 128, why: 'AWS, pods' },
  { network: 'fd20:ce::254', prefix: 128, why: 'Google Cloud' },
  { network: 'fd00:42::42', prefix: 128, why: 'Scaleway' },
  { network: 'fd00:a9fe:a9fe::1', prefix: 128, why: 'Linode' },
];
