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
  /** The query of the next page; undefined on the last page. */
  next: string | undefined;
  response: Response;
}

type GetPage = (options: object) => Promise<{ data: unknown; response: Response }>;

/** Gets a page. @param query the query of a `Link` header, which replaces the parameters of the options */
export async function getPage<One>(get: GetPage, options: object, query?: string): Promise<Page<One>> {
  const { data, response } = await get(
    query === undefined ? options : { ...withoutCount(options), querySerializer: () => query },
  );
  const total = response.headers.get('X-Total-Count');
  return {
    // The types guarantee that a paged path returns an array.
    items: data as One[],
    total: total === null ? undefined : Number(total),
    next: nextQuery(response.headers.get('Link')),
    response,
  };
}

/** Iterates over the pages of a list by following their `Link` headers. */
export async function* pagesOf<One>(get: GetPage, options: object = {}): AsyncGenerator<Page<One>> {
  const requested = new Set<string>();
  let query: string | undefined;
  do {
    const page: Page<One> = await getPage(get, options, query);
    yield page;
    query = page.next;
    // Following a link back to an earlier page would never end.
    if (query !== undefined && requested.has(query)) return;
    requested.add(query ?? '');
  } while (query !== undefined);
}

/** Counting is slow, so only the first page requests the total. */
function withoutCount(options: { params?: { header?: object } }): object {
  const { params } = options;
  return { ...options, params: { ...params, header: { ...params?.header, Prefer: undefined } } };
}
