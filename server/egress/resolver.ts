import { Resolver } from 'node:dns/promises';
import { type EgressPolicy, isAllowed } from './policy.ts';
import { checkUrl, hostOf, ipLiteralOf, notPublicMessage } from './url-check.ts';

/** Gives all addresses of a name, of both families; none where it does not resolve. */
export type ResolveHost = (name: string) => Promise<string[]>;

/** How long one question may take, and how often it is asked. */
const patience = { timeout: 1_500, tries: 2 };

/**
 * Asks name servers, without the threads that file access needs too (`dns.lookup` would take one of four).
 * @param servers those of the machine unless said
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
 * What is wrong with a webhook's URL now, as it is written and as its host resolves. A name that does not
 * resolve is taken: it is judged again at each connection (D48).
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
  const addresses = await resolve(hostOf(url));
  return addresses.every((address) => isAllowed(address, policy)) ? undefined : notPublicMessage;
}

/** An address that no webhook may lead to (D48). */
export class EgressDenied extends Error {}

/** A name that leads nowhere. */
export class HostNotFound extends Error {}

/**
 * Where a URL leads now: the address that it names, or all that its name has.
 * @throws EgressDenied where any of them may not be called: a name that has good and bad ones is an attack
 */
export async function resolveAllowed(
  url: URL,
  policy: EgressPolicy,
  resolve: ResolveHost,
): Promise<string[]> {
  const literal = ipLiteralOf(url);
  const addresses = literal === undefined ? await resolve(hostOf(url)) : [literal];
  if (addresses.length === 0) throw new HostNotFound(`${hostOf(url)} has no address.`);
  const forbidden = addresses.find((address) => !isAllowed(address, policy));
  if (forbidden !== undefined)
    throw new EgressDenied(`${hostOf(url)} leads to ${forbidden}, which is not public.`);
  return addresses;
}
