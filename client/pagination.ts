/**
 * Where the next page is, by a `Link` header (RFC 8288).
 * @returns the query of its address, without the question mark; of the rest this client knows better, as there may
 *   be a proxy between that has changed it
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

/** What is on a page. */
export interface Page<One> {
  items: One[];
  /** How many there are in all: with the first page, where it was asked for by `Prefer: count=exact`. */
  total: number | undefined;
  response: Response;
}

/** One page after the other, by their `Link` headers. */
export async function* pagesOf<One>(
  get: (options: object) => Promise<{ data: unknown; response: Response }>,
  options: object = {},
): AsyncGenerator<Page<One>> {
  const asked = new Set<string>();
  let here = options;
  for (;;) {
    const { data, response } = await get(here);
    const total = response.headers.get('X-Total-Count');
    // A paged path answers with a list, which is what its type says of One.
    yield { items: data as One[], total: total === null ? undefined : Number(total), response };
    const query = nextQuery(response.headers.get('Link'));
    // Pages that lead back to themselves would have no end.
    if (query === undefined || asked.has(query)) return;
    asked.add(query);
    here = { ...withoutCount(options), querySerializer: () => query };
  }
}

/** Counting takes long, and is done with the first page. */
function withoutCount(options: { params?: { header?: object } }): object {
  const { params } = options;
  return { ...options, params: { ...params, header: { ...params?.header, Prefer: undefined } } };
}
