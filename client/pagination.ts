/**
 * Parses the `Link` header of a page (RFC 8288).
 * @returns the query of the next page, or undefined on the last page; the client ignores the rest of the URL, which a
 * proxy may have changed
 */
export function nextQuery(link: string | null): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(
    /<([^<>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g,
  ))
    for (const [, name = '', quoted, bare = ''] of parameters.matchAll(
      /;\s*([^\s;,="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;,"]*)))?/g,
    )) {
      const relations = (quoted ?? bare).toLowerCase().split(/\s+/);
      if (name.toLowerCase() === 'rel' && relations.includes('next'))
        return /\?([^#]*)/.exec(target)?.[1] ?? '';
    }
  return undefined;
}

/** One page of a list. */
export interface Page<One> {
  items: One[];
  /** Total number of items. Only the first page has it, and only if `Prefer: count=exact` was requested. */
  total: number | undefined;
  response: Response;
}

/** Iterates over the pages of a list by following their `Link` headers. */
export async function* pagesOf<One>(
  get: (options: object) => Promise<{ data: unknown; response: Response }>,
  options: object = {},
): AsyncGenerator<Page<One>> {
  const requested = new Set<string>();
  let here = options;
  for (;;) {
    const { data, response } = await get(here);
    const total = response.headers.get('X-Total-Count');
    // The types guarantee that a paged path returns an array.
    yield { items: data as One[], total: total === null ? undefined : Number(total), response };
    const query = nextQuery(response.headers.get('Link'));
    // Following a link back to an earlier page would never end.
    if (query === undefined || requested.has(query)) return;
    requested.add(query);
    here = { ...withoutCount(options), querySerializer: () => query };
  }
}

/** Counting is slow, so only the first page requests the total. */
function withoutCount(options: { params?: { header?: object } }): object {
  const { params } = options;
  return { ...options, params: { ...params, header: { ...params?.header, Prefer: undefined } } };
}
