/**
 * Returns the `Link` header of a page (RFC 8288): links to the first, previous and next page, relative to this service
 * (D20).
 * @param query all parameters of the list request; the links keep all of them except `page`
 */
export function pageLinks(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> & { page: number },
  hasNext: boolean,
): string {
  const link = (page: number, relation: string) => {
    const given = Object.entries({ ...query, page }).filter(([, value]) => value !== undefined);
    const parameters = new URLSearchParams(
      given.map(([name, value]): [string, string] => [name, String(value)]),
    );
    return `<${path}?${parameters}>; rel="${relation}"`;
  };
  return [
    link(0, 'first'),
    ...(query.page > 0 ? [link(query.page - 1, 'prev')] : []),
    ...(hasNext ? [link(query.page + 1, 'next')] : []),
  ].join(', ');
}

/** Returns the headers of a page: its links, and the total if it was requested (D20). */
export const pageHeaders = (
  path: string,
  query: Parameters<typeof pageLinks>[1],
  { hasNext, total }: { hasNext: boolean; total: number | undefined },
) => ({
  Link: pageLinks(path, query, hasNext),
  ...(total === undefined ? {} : { 'X-Total-Count': total, 'Preference-Applied': 'count=exact' as const }),
});

/** Whether a `Prefer` header requests the total. If a preference occurs twice, the first one counts (RFC 7240). */
export function prefersTotalCount(header: string | undefined): boolean {
  // Only the first 1,000 characters are read, because longer lists of preferences are unrealistic.
  const preferences = (header ?? '').slice(0, 1_000).match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [];
  const counts = preferences
    .map((preference) => /^\s*count\s*=\s*(?:"([^"]*)"|([^\s;"]*))\s*(?:;.*)?$/is.exec(preference))
    .filter((match) => match !== null);
  return (counts[0]?.[1] ?? counts[0]?.[2]) === 'exact';
}
