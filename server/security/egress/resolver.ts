import { Resolver } from 'node:dns/promises';
import { type EgressPolicy, isAllowed } from './policy.ts';
import { checkUrl, hostOf, ipLiteralOf, whyDenied } from './url-check.ts';

/** Returns all addresses of a host, of both families; none if it does not resolve. */
export type ResolveHost = (name: string) => Promise<string[]>;

/** Timeout of one query in milliseconds, and number of attempts. */
const patience = { timeout: 1_500, tries: 2 };

/**
 * Creates a function that queries name servers without the thread pool that file access needs (`dns.lookup` would
 * occupy one of its four threads).
 * @param servers name servers; by default those of the machine
 */
export const createHostResolver =
  (servers?: readonly string[]): ResolveHost =>
  async (name) => {
    const resolver = new Resolver(patience);
    if (servers) resolver.setServers(servers);
    const responses = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
  };

export const resolveHost: ResolveHost = createHostResolver();

/**
 * Checks a webhook's URL and the addresses of its host. A host that does not resolve is accepted, because each
 * connection checks it again (D48).
 * @returns the reason for rejecting the URL, or undefined
 */
export async function checkResolvedUrl(
  text: string,
  policy: EgressPolicy,
  resolve: ResolveHost,
): Promise<string | undefined> {
  const wrong = checkUrl(text, policy);
  if (wrong !== undefined) return wrong;
  const url = new URL(text);
  if (ipLiteralOf(url) !== undefined) return undefined;
  return whyDenied(await resolve(hostOf(url)), policy, url.protocol);
}

/** Thrown if the egress policy denies an address (D48). */
export class EgressDenied extends Error {}

/**
 * Returns the addresses of a URL's host.
 * @throws EgressDenied if any of them is denied: a host with both allowed and denied addresses indicates an attack
 * @throws Error if the host does not resolve
 */
export async function resolveAllowed(
  url: URL,
  policy: EgressPolicy,
  resolve: ResolveHost,
): Promise<string[]> {
  const literal = ipLiteralOf(url);
  const addresses = literal === undefined ? await resolve(hostOf(url)) : [literal];
  if (addresses.length === 0) throw new Error(`${hostOf(url)} has no address.`);
  const forbidden = addresses.find((address) => !isAllowed(address, policy, url.protocol));
  if (forbidden !== undefined)
    throw new EgressDenied(
      `${hostOf(url)} resolves to ${forbidden}, which is not allowed over ${url.protocol.slice(0, -1)}.`,
    );
  return addresses;
}
