import { Resolver } from 'node:dns/promises';
import { type AddressPolicy, isAllowed } from './policy.ts';
import { hostOf, literalIn, misspelling, notPublic } from './url-check.ts';

/** Gives all addresses of a name, of both families; none where it does not resolve. */
export type Resolve = (name: string) => Promise<string[]>;

/** How long one question may take, and how often it is asked. */
const patience = { timeout: 1_500, tries: 2 };

/**
 * Asks name servers, without the threads that file access needs too (`dns.lookup` would take one of four).
 * @param servers those of the machine unless said
 */
export const resolveBy =
  (servers?: readonly string[]): Resolve =>
  async (name) => {
    const resolver = new Resolver(patience);
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };

export const resolveByDns: Resolve = resolveBy();

/**
 * What is wrong with a webhook's URL now, as it is written and as its host resolves. A name that does not
 * resolve is taken: it is judged again at each connection (D48).
 */
export async function forbiddenAddress(
  text: string,
  policy: AddressPolicy,
  resolve: Resolve,
): Promise<string | undefined> {
  const wrong = misspelling(text, policy);
  if (wrong !== undefined) return wrong;
  const url = new URL(text);
  if (literalIn(url) !== undefined) return undefined;
  const addresses = await resolve(hostOf(url));
  return addresses.every((address) => isAllowed(address, policy)) ? undefined : notPublic;
}

/** An address that no webhook may lead to (D48). */
export class AddressForbidden extends Error {}

/** A name that leads nowhere. */
export class NameUnknown extends Error {}

/**
 * Where a URL leads now: the address that it names, or all that its name has.
 * @throws AddressForbidden where any of them may not be called: a name that has good and bad ones is an attack
 */
export async function allowedAddresses(url: URL, policy: AddressPolicy, resolve: Resolve): Promise<string[]> {
  const literal = literalIn(url);
  const addresses = literal === undefined ? await resolve(hostOf(url)) : [literal];
  if (addresses.length === 0) throw new NameUnknown(`${hostOf(url)} has no address.`);
  const forbidden = addresses.find((address) => !isAllowed(address, policy));
  if (forbidden !== undefined)
    throw new AddressForbidden(`${hostOf(url)} leads to ${forbidden}, which is not public.`);
  return addresses;
}
