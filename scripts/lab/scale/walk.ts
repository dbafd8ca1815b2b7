import type { ServiceUnderTest } from './service-under-test.ts';

/** A list that is read to its end by its `Link` headers. */
export interface ListWalk {
  list: string;
  small: WalkTimes;
  large: WalkTimes;
}

export interface WalkTimes {
  entries: number;
  seconds: number;
  /** Milliseconds per page: mean of the first and of the last tenth of the pages. */
  first: number;
  last: number;
}

const perPage = 100;

/** The lists to walk. The search finds every contact that has a name. */
const lists: Readonly<Record<string, string>> = {
  listContacts: `/contacts?include_anonymous=true&per_page=${perPage}`,
  'listContacts, newest first': `/contacts?include_anonymous=true&order=desc&per_page=${perPage}`,
  listConversations: `/all/conversations?per_page=${perPage}`,
};

/**
 * Reads whole lists page by page, as a client does that follows `next` links.
 * @throws Error if a response is not successful, or an entry appears twice
 */
export async function walkLists(
  { small, large }: { small: ServiceUnderTest; large: ServiceUnderTest },
  onProgress: (text: string) => void,
): Promise<ListWalk[]> {
  const walks: ListWalk[] = [];
  for (const [list, path] of Object.entries(lists))
    walks.push({
      list,
      small: await walk(small, path, () => {}),
      large: await walk(large, path, (entries) =>
        onProgress(`walks ${list}: ${entries.toLocaleString('en')}`),
      ),
    });
  return walks;
}

async function walk(
  service: ServiceUnderTest,
  path: string,
  onProgress: (entries: number) => void,
): Promise<WalkTimes> {
  const seen = new Set<number>();
  const took: number[] = [];
  let entries = 0;
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, text, ms, link } = await service.ask('GET', next);
    if (status !== 200) throw new Error(`${next} returned ${status}: ${text.slice(0, 300)}`);
    const page: { id: number }[] = JSON.parse(text);
    for (const { id } of page) seen.add(id);
    entries += page.length;
    took.push(ms);
    next = /<\/api\/v1([^>]*)>; rel="next"/.exec(link)?.[1];
    onProgress(entries);
  }
  if (seen.size !== entries)
    throw new Error(`${path} listed ${entries} entries, of which ${seen.size} differ.`);
  const tenth = Math.max(1, Math.floor(took.length / 10));
  const mean = (all: readonly number[]) => all.reduce((sum, ms) => sum + ms, 0) / all.length;
  return {
    entries,
    seconds: took.reduce((sum, ms) => sum + ms, 0) / 1_000,
    first: mean(took.slice(0, tenth)),
    last: mean(took.slice(-tenth)),
  };
}
