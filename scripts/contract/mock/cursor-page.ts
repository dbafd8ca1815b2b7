import { isObject } from '../../../server/lib/json-object.ts';

/** Query parameters that limit the number of items. */
export const limitNames = ['per_page', 'perPage', 'page_size', 'pageSize', 'limit', 'size', 'count', 'first'];

/** Whether a query parameter takes a cursor that an earlier response has returned. */
export const isCursorName = (name: string): boolean =>
  /^(cursor|(next_?)?page_?token|next_?token|continuation_?(token)?|(starting_?)?after|marker)$/i.test(name);

/** Whether a property of a list has the cursor or the URL of its next page. */
export const isNextName = (name: string): boolean =>
  /^(next(_?(cursor|page|page_?token|token|link))?|end_?cursor)$/i.test(name);

/** Whether a property of a list says if there is a next page. */
export const isMoreName = (name: string): boolean => /^has_?(more|next(_?page)?)$/i.test(name);

/** How the pages of a list follow each other by cursors in its bodies. */
export interface CursorFacts {
  /** The query parameter that takes the cursor. */
  parameter: string;
  /** The names of the property that has the cursor of the next page, and of the object around it, if there is one. */
  next: readonly string[];
  /** The value on the last page: null, an empty text, or none. */
  last: null | '' | undefined;
  /** Whether cursors may be any short text, so that those of the mock say where the next page begins. */
  isFree: boolean;
  /** Whether the list may be empty. */
  mayBeEmpty: boolean;
}

const own = /^mock-(\d{1,6})$/;

/**
 * Returns a page of an example list whose bodies have cursors. The first page is the example, cut to the requested size. A
 * cursor of an example leads to the last page, so that every list ends.
 * @param query the validated query parameters
 * @returns other bodies unchanged
 */
export function cursorPage(
  body: unknown,
  { parameter, next, last, isFree, mayBeEmpty }: CursorFacts,
  query: Readonly<Record<string, unknown>>,
): unknown {
  const lists = isObject(body) ? Object.entries(body).filter(([, each]) => Array.isArray(each)) : [];
  const [[name, items] = []] = lists;
  if (!isObject(body) || name === undefined || !Array.isArray(items) || lists.length > 1) return body;
  const { [parameter]: cursor } = query;
  const size = limitNames.map((each) => query[each]).find((value) => typeof value === 'number');
  const begin = typeof cursor === 'string' ? Number(own.exec(cursor)?.[1] ?? items.length) : 0;
  const end = begin + (size ?? items.length);
  const page = items.slice(begin, end);
  const changed = { ...body, [name]: page.length > 0 || mayBeEmpty ? page : items };
  if (isFree && end < items.length) return withNext(changed, next, `mock-${end}`, true);
  return cursor === undefined ? changed : withNext(changed, next, last, false);
}

/** Returns a body with another cursor. @param hasMore the value of properties that say whether there is a next page */
function withNext(
  body: Record<string, unknown>,
  [name = '', ...inner]: readonly string[],
  value: string | null | undefined,
  hasMore: boolean,
): Record<string, unknown> {
  const { [name]: around, ...others } = Object.fromEntries(
    Object.entries(body).map(([each, given]) => [
      each,
      isMoreName(each) && typeof given === 'boolean' ? hasMore : given,
    ]),
  );
  if (inner.length > 0)
    return isObject(around) ? { ...others, [name]: withNext(around, inner, value, hasMore) } : body;
  return value === undefined ? others : { ...others, [name]: value };
}
