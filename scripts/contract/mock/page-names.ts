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
