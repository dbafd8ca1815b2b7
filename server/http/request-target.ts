/**
 * Reduces a request target to its path and query (RFC 9112, section 3.2). Proxies may send an absolute URL. The target
 * `*` is returned unchanged.
 * @returns undefined if the target is invalid
 */
export function toOriginForm(target: string): string | undefined {
  // Fragments are invalid: clients do not send them, and servers disagree about their meaning.
  if (target.includes('#')) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
