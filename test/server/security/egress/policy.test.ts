import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blockedIpv4Ranges,
  blockedIpv6Ranges,
  cloudMetadataRanges,
} from '../../../../server/security/egress/blocked-ranges.ts';
import { isAllowed, publicHttpsOnly } from '../../../../server/security/egress/policy.ts';
import {
  checkResolvedUrl,
  EgressDenied,
  resolveAllowed,
} from '../../../../server/security/egress/resolver.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';

// The first and last address of each range, taken from the registries and RFCs, not from `blocked-ranges.ts`.
test.each([
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private, class A', '10.0.0.0', '10.255.255.255'],
  ['carriers', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['link-local', '169.254.0.0', '169.254.255.255'],
  ['private, class B', '172.16.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['private, class C', '192.168.0.0', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.255'],
  ['unspecified and loopback', '::', '::1'],
  ['IPv4-compatible', '::0.0.0.2', '::255.255.255.255'],
  ['IPv4-mapped', '::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['NAT64', '64:ff9b::', '64:ff9b::255.255.255.255'],
  ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHID', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['SRv6', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
])('%s, %s to %s, is denied', (_what, first, last) => {
  expect([first, last].map((address) => isAllowed(address, publicHttpsOnly, 'https:'))).toEqual([
    false,
    false,
  ]);
});

test.each([
  '93.184.215.14',
  '8.8.8.8',
  '1.1.1.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::200e',
  '100.63.0.1',
  '11.0.0.1',
])('%s is public', (address) => {
  expect(isAllowed(address, publicHttpsOnly, 'https:')).toBe(true);
});

test.each([
  '::ffff:8.8.8.8',
  '::8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
  'fe80::1%eth0',
  'example.com',
  '',
])('denies "%s" as an address', (address) => {
  expect(isAllowed(address, publicHttpsOnly, 'https:')).toBe(false);
});

test("the operator's allowed networks permit only their own addresses; metadata services stay denied", () => {
  const policy = { allowedNetworks: ['10.1.0.0/16', '169.254.0.0/16', 'fd00::/8'] };
  const allowed = (address: string) => isAllowed(address, policy, 'https:');
  expect(['10.1.0.0', '10.1.255.255', '169.254.1.1', 'fd12::1'].map(allowed)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['10.0.255.255', '10.2.0.0', 'fe80::1', '::ffff:10.1.0.1'].map(allowed)).toEqual(
    Array(4).fill(false),
  );
  const everything = { allowedNetworks: ['http:0.0.0.0/0', 'http:::/0'] };
  for (const { network } of cloudMetadataRanges)
    expect(isAllowed(network, everything, 'https:'), network).toBe(false);
});

test('only networks with the prefix http: may be called over http', () => {
  const policy = { allowedNetworks: ['10.1.0.0/16', 'http:10.2.0.0/16', 'http:fd12::/16'] };
  const allowed = (address: string) => ['https:', 'http:'].map((each) => isAllowed(address, policy, each));
  for (const [address, expected] of [
    ['10.1.2.3', [true, false]],
    ['10.2.2.3', [true, true]],
    ['fd12::1', [true, true]],
    ['10.3.0.1', [false, false]],
    ['8.8.8.8', [true, false]],
  ] as const)
    expect(allowed(address), address).toEqual(expected);
});

test.each([
  ['http://8.8.8.8/', 'must be called over https'],
  ['http://10.1.2.3/', 'must be called over https'],
  ['http://192.168.1.1/', 'is not public'],
  ['http://169.254.169.254/', 'is not public'],
  ['http://public.example/', 'must be called over https'],
  ['http://private.example/', 'is not public'],
  ['http://10.2.2.3/', undefined],
  ['https://public.example/', undefined],
])('a webhook with the URL %s: %s', async (url, why) => {
  const policy = { allowedNetworks: ['10.1.0.0/16', 'http:10.2.0.0/16'] };
  const resolve = async (name: string) => (name === 'public.example' ? ['8.8.8.8'] : ['192.168.1.1']);
  const denied = await checkResolvedUrl(url, policy, resolve);
  expect(denied).toEqual(why === undefined ? undefined : expect.stringContaining(why));
  const connecting = resolveAllowed(new URL(url), policy, resolve);
  if (why === undefined) expect(await connecting).toHaveLength(1);
  else await expect(connecting).rejects.toThrow(EgressDenied);
});

test.each([
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  'fd00:0ec2:0:0:0:0:0:254',
  '169.254.42.42',
  '169.254.0.23',
  '169.254.169.252',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  // The IPv4 address follows a 32- to 64-bit prefix (RFC 6052, 2.2) or is that of a Teredo server or client (RFC 4380).
  'fd00:1:a9fe:a9fe::',
  '64:ff9b:1:a9fe:a9:fe00::',
  '64:ff9b:1:a9:fe:a9fe::',
  '64:ff9b:1:0:a9:fea9:fe00:0',
  '2001:0:a9fe:a9fe::1',
  '2001:0:7f00:1:0:0:5601:5601',
])('%s leads to a metadata service, which no allowed network permits', (address) => {
  expect(isAllowed(address, { allowedNetworks: ['http:0.0.0.0/0', 'http:::/0'] }, 'http:')).toBe(false);
});

test('allows the same addresses as lists of Node with the same ranges', () => {
  // One list per family: in a shared list, an IPv4 address would also match its IPv6 form `::ffff:…`.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
  for (const { network, prefix } of [...blockedIpv4Ranges, ...blockedIpv6Ranges, ...cloudMetadataRanges])
    lists[familyOf(network)].addSubnet(network, prefix, familyOf(network));
  const differs = (address: string) =>
    lists[familyOf(address)].check(address, familyOf(address)) ===
    isAllowed(address, publicHttpsOnly, 'https:');
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => !differs(address)),
    { numRuns: sampleCount(3_000), seed },
  );
});
