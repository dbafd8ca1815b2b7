/**
 * The path and query that a request asks for, whichever form its target has (RFC 9112, 3.2): a proxy
 * may send the whole URL. Undefined where it is no target at all.
 */
export function toOriginForm(target: string): string | undefined {
  // A fragment never leaves a client; what would be left of it means different things to different readers.
  if (target.includes('#')) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
