/**
 * Where the next page is, by a `Link` header (RFC 8288).
 * @returns the query of its address, without the question mark; of the rest this client knows better, as there may
 *   be a proxy between that has changed it
 */
export function nextQuery(link: string | null): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(
    /<([^>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i.exec(parameters) ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return /\?([^#]*)/.exec(target)?.[1] ?? '';
  }
  return undefined;
}

/** What is on a page, and how many there are in all, where that was asked for by `Prefer: count=exact`. */
export interface Page<One> {
  items: One[];
  total: number | undefined;
  response: Response;
}

/** One page after the other, by their `Link` headers. */
export async function* pagesOf<One>(
  get: (options: object) => Promise<{ data: unknown; response: Response }>,
  options: object = {},
): AsyncGenerator<Page<One>> {
  let query: string | undefined;
  for (;;) {
    const asked = query;
    const { data, response } = await get(
      asked === undefined ? options : { ...options, querySerializer: () => asked },
    );
    const total = response.headers.get('X-Total-Count');
    // A paged path answers with a list, which is what its type says of One.
    yield { items: data as One[], total: total === null ? undefined : Number(total), response };
    query = nextQuery(response.headers.get('Link'));
    // A page that follows itself would have no end.
    if (query === undefined || query === asked) return;
  }
}
