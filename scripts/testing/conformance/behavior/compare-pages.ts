import { isObject } from '../../../../server/lib/json-object.ts';

/**
 * Compares the pages of a list with the same list in one page, before and after they were read.
 * @param pages the items of each page, in order
 * @param isEnd whether the last page has no next one
 * @returns what is wrong, with the index of the page that shows it; undefined if each item is on one page
 */
export function comparePages(
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
