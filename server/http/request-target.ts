/**
 * Returns the path and query of a request target in any of its forms (RFC 9112, section 3.2); proxies may send the
 * absolute URL. Undefined for an invalid target.
 */
export function toOriginForm(target: string): string | undefined {
  // Clients do not send fragments, and servers disagree about what they mean.
  if (target.includes('#')) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
