import fc from 'fast-check';
import { isObject } from '../../../../server/lib/json-object.ts';
import type { RequestSpace } from '../../requests/request-space.ts';
import type { TestCase } from '../../requests/serialize.ts';
import { canonicalJson } from '../../schema-values/schema.ts';
import { bodyIn } from '../check-response.ts';
import type { Session, TriedRequest } from '../session.ts';
import { hasPages, isLimit, type ListPage, pageOf } from './next-page.ts';
import { plain } from './resource.ts';

/** Maximum number of pages, of requests for a list that exists, and of items that are created for it. */
const most = { pages: 15, attempts: 8, created: 3 };

interface TriedPage extends ListPage {
  tried: TriedRequest;
}

/**
 * Reads a list in one page and, if it has pages, in small ones, and compares them.
 * @param create the operation that adds to the list, if there is one: a few items are created first
 */
export async function tryPages(
  session: Session,
  space: RequestSpace,
  create: RequestSpace | undefined,
): Promise<void> {
  const attempt = await existingList(session, space, create);
  if (!attempt) return;
  const limit = space.operation.parameters.find(isLimit);
  const sized = (...sizes: number[]) => {
    const size = sizes.find((each) => limit && session.requests.isValid(limit.schema, each));
    return limit && size !== undefined ? { [limit.name]: size } : {};
  };
  const [small, large] = [sized(2, 1, 3, 5, 10, 20), sized(1_000, 200, 100, 50, 20, 10)];
  const read = (query: Readonly<Record<string, unknown>>, what: string) =>
    readPage(session, attempt, { ...attempt.request.query, ...query }, what);
  const before = await read(large, 'a list in one page');
  if (!hasPages(space.operation)) return;
  const pages = await readPages(session, small, read);
  const after = await read(large, 'a list in one page, again');
  const last = pages?.at(-1);
  if (!pages || !last || pages.length < 2 || !before.page || !after.page) return;
  const wrong = comparePages(
    pages.map(({ items }) => items),
    [before.page.items, after.page.items],
    last.next === undefined,
  );
  session.conclude((pages[wrong?.page ?? 0] ?? last).tried, 'pages-whole', wrong?.message);
}

/** Reads small pages, and checks that each is no larger than requested, and leads to another one. */
async function readPages(
  session: Session,
  small: Readonly<Record<string, number>>,
  read: (query: Record<string, unknown>, what: string) => ReturnType<typeof readPage>,
): Promise<TriedPage[] | undefined> {
  const pages: TriedPage[] = [];
  const seen = new Set<string>();
  const [size] = Object.values(small);
  let query: Record<string, unknown> | undefined = small;
  while (query !== undefined && pages.length < most.pages) {
    const { tried, page } = await read(query, `page ${pages.length + 1} of a list`);
    if (!page) {
      const { status } = tried.response ?? {};
      if (pages.length > 0) session.conclude(tried, 'pages-whole', `the next page returned ${status}`);
      return undefined;
    }
    const isLarger = size !== undefined && page.items.length > size;
    if (size !== undefined)
      session.conclude(tried, 'keeps-limit', isLarger ? 'a page has more items than requested' : undefined);
    pages.push({ tried, ...page });
    const key = canonicalJson(page.next ?? {});
    if (seen.has(key)) {
      session.conclude(tried, 'pages-whole', 'a page leads to one that was read before');
      return undefined;
    }
    seen.add(key);
    query = page.next && { ...small, ...page.next };
  }
  return pages;
}

async function readPage(
  session: Session,
  attempt: TestCase,
  query: Record<string, unknown>,
  what: string,
): Promise<{ tried: TriedRequest; page: ListPage | undefined }> {
  const tried = await session.tryAndReport({ ...attempt, what, request: { ...attempt.request, query } });
  return { tried, page: tried.result.outcome === 'accepted' ? pageIn(tried) : undefined };
}

const pageIn = ({ attempt, response }: TriedRequest): ListPage | undefined =>
  pageOf(attempt.request.operation, response?.headers ?? {}, bodyIn(response));

/** Returns a request for a list that exists, after items were added to it. */
async function existingList(
  session: Session,
  { valid }: RequestSpace,
  create: RequestSpace | undefined,
): Promise<TestCase | undefined> {
  for (const given of fc.sample(valid.map(plain), { numRuns: most.attempts, seed: 1 })) {
    const { tried, page } = await readPage(session, given, given.request.query, 'the first page of a list');
    // The response of another operation than a list has no items either.
    if (!page && tried.result.outcome === 'accepted') return undefined;
    if (!page) continue;
    const { attempt } = tried;
    const made = create ? fc.sample(create.valid.map(plain), { numRuns: most.created, seed: 2 }) : [];
    for (const each of made)
      await session.tryAndReport({
        ...{ ...each, what: 'a create before its list' },
        request: { ...each.request, path: attempt.request.path },
      });
    return attempt;
  }
  return undefined;
}

/**
 * Compares the pages of a list with the same list in one page, before and after they were read.
 * @param pages the items of each page, in order
 * @param isEnd whether the last page has no next one
 * @returns what is wrong, with the index of the page that shows it; undefined if each item is on one page
 */
function comparePages(
  pages: readonly (readonly unknown[])[],
  [before, after]: readonly [readonly unknown[], readonly unknown[]],
  isEnd: boolean,
): { message: string; page: number } | undefined {
  const read = new Set<string>();
  for (const [page, items] of pages.entries()) {
    const ids = idsOf(items);
    if (ids.some((id) => read.has(id))) return { message: 'an item is on two pages', page };
    for (const id of ids) read.add(id);
  }
  const [all, stillThere] = [idsOf(before), new Set(idsOf(after))];
  // The pages may end before the list: what follows their last item was not read.
  const end = isEnd ? all.length : all.lastIndexOf([...read].at(-1) ?? '');
  const isMissing = all.slice(0, Math.max(0, end)).some((id) => stillThere.has(id) && !read.has(id));
  return isMissing
    ? { message: 'an item of the list is on none of its pages', page: pages.length - 1 }
    : undefined;
}

/** Returns the IDs of items as text. Items without IDs are left out, because they may be equal. */
const idsOf = (items: readonly unknown[]): string[] =>
  items.flatMap((item) =>
    isObject(item) && (typeof item.id === 'string' || typeof item.id === 'number') ? String(item.id) : [],
  );
