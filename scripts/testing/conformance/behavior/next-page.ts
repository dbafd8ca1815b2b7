import { isObject } from '../../../../server/lib/json-object.ts';
import { isCursorName, isMoreName, isNextName, limitNames } from '../../../contract/mock/cursor-page.ts';
import type { RequestParameter, TestedOperation } from '../../requests/operations.ts';
import type { HttpResponse } from '../../requests/send.ts';
import { bodyIn } from '../check-response.ts';

/** A page of a list: its items, and the query of the next page. */
export interface ListPage {
  items: unknown[];
  /** Undefined on the last page, and if the response does not say how to get the next one. */
  next: Record<string, string> | undefined;
}

/** Whether the parameters of an operation say that it returns a list with pages. */
export const hasPages = ({ method, parameters }: TestedOperation): boolean =>
  method === 'get' && parameters.some((each) => isLimit(each) || isCursor(each));

export const isLimit = ({ in: location, name }: RequestParameter): boolean =>
  location === 'query' && limitNames.includes(name);

const isCursor = ({ in: location, name }: RequestParameter): boolean =>
  location === 'query' && isCursorName(name);

/**
 * Reads a page of a list: an array, or an object with one array. The next page is the one of `Link` (RFC 8288), or of a
 * property such as `next`, `next_cursor` or `nextPageToken`, whose value is a URL or a cursor.
 * @returns undefined if the body is no list
 */
export function pageOf(
  { parameters }: Pick<TestedOperation, 'parameters'>,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): ListPage | undefined {
  const items = itemsOf(body);
  if (!items) return undefined;
  const link = /<([^<>]*)>\s*;[^<]*\brel="?next\b/i.exec(headers.link ?? '')?.[1];
  const next = link ?? nextIn(body);
  if (next === undefined) return { items, next: undefined };
  if (link !== undefined || /^(https?:\/)?\//.test(next)) {
    const query = URL.parse(next, 'http://here')?.searchParams;
    return { items, next: query && Object.fromEntries(query) };
  }
  const cursor = parameters.find(isCursor);
  return { items, next: cursor && { [cursor.name]: next } };
}

/** Returns the items of a response that is a list; an object with an array is one only if it has pages. */
export function listIn(operation: TestedOperation, response: HttpResponse): unknown[] | undefined {
  if (operation.method !== 'get') return undefined;
  const body = bodyIn(response);
  return Array.isArray(body) || hasPages(operation) ? itemsOf(body) : undefined;
}

/** Returns the items of an array, or of the only array in an object. */
export function itemsOf(body: unknown): unknown[] | undefined {
  if (Array.isArray(body)) return body;
  const lists = isObject(body) ? Object.values(body).filter((each) => Array.isArray(each)) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

/** Returns the cursor or URL of the next page in a body, or in an object directly inside of it. */
function nextIn(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  for (const part of [body, ...Object.values(body)]) {
    if (!isObject(part)) continue;
    const found = Object.entries(part);
    if (found.some(([name, value]) => isMoreName(name) && value === false)) return undefined;
    const [, next] =
      found.find(([name, value]) => isNextName(name) && typeof value === 'string' && value !== '') ?? [];
    if (typeof next === 'string') return next;
  }
  return undefined;
}
