import type { HandlerResponse, ValidatedInput } from '../../../server/contract/exchange.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { type CursorFacts, cursorPage, limitNames } from './cursor-page.ts';

/** The parts of an example response that the mock fits to the request. */
export interface ExampleFacts {
  /** Path parameters with the same kind of ID as properties of the body (`x-id-of`), by property. */
  ids: Readonly<Record<string, string>>;
  /** The number of the first page: 0, or 1 if the schema of the parameter `page` requires at least 1. */
  firstPage: number;
  /** The indexes of the bodies that can replace the usual one: all valid examples of the response. */
  variants?: readonly number[];
  /** Set if the bodies of the list have cursors. */
  cursor?: CursorFacts;
}

/**
 * Fits an example response to the request: inserts the requested ID, and cuts a list to the requested page.
 * @param url path and query of the request
 */
export const personalize = (
  response: HandlerResponse,
  facts: ExampleFacts,
  input: ValidatedInput,
  url: string,
): HandlerResponse =>
  examplePage({ ...response, body: fittedBody(response.body, facts, input) }, facts, input.query, url);

/** Inserts the requested ID into a body, and cuts a list with cursors to the requested page. */
export function fittedBody(
  body: unknown,
  facts: ExampleFacts,
  input: Pick<ValidatedInput, 'path' | 'query'>,
): HandlerResponse['body'] {
  const own = withRequestedId(body, facts, input);
  return facts.cursor ? cursorPage(own, facts.cursor, input.query) : own;
}

/** Replaces IDs in a response body with the IDs in the request's path. */
function withRequestedId(
  body: unknown,
  { ids }: ExampleFacts,
  { path }: Pick<ValidatedInput, 'path'>,
): HandlerResponse['body'] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const requested = Object.entries(ids).filter(
    ([property, name]) => Object.hasOwn(body, property) && Object.hasOwn(path, name),
  );
  return { ...body, ...Object.fromEntries(requested.map(([property, name]) => [property, path[name]])) };
}

/**
 * Returns a page of an example list, if the operation has the parameter `page` and one for the size of a page. The `Link`
 * header leads to the other pages, so that clients can follow it to the end. Other responses are returned unchanged.
 */
function examplePage(
  response: HandlerResponse,
  { firstPage: first }: ExampleFacts,
  query: Readonly<Record<string, unknown>>,
  url: string,
): HandlerResponse {
  const { body, headers = {} } = response;
  const size = limitNames.map((name) => query[name]).find((value) => typeof value === 'number');
  const { page } = query;
  if (!Array.isArray(body) || size === undefined || typeof page !== 'number') return response;
  const start = (page - first) * size;
  const links = [
    ['first', first],
    ...(page > first ? [['prev', page - 1]] : []),
    ...(start + size < body.length ? [['next', page + 1]] : []),
  ].map(([relation, target]) => `<${withPage(url, String(target))}>; rel="${relation}"`);
  const changed: Record<string, unknown> = { link: links.join(', '), 'x-total-count': body.length };
  return {
    ...response,
    body: body.slice(start, start + size),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, changed[name.toLowerCase()] ?? value]),
    ),
  };
}

/** Returns a URL with another page. @param page none keeps that of the URL */
export function withPage(url: string, page: string | null | undefined): string {
  const target = new URL(url, 'http://mock');
  if (page) target.searchParams.set('page', page);
  return target.pathname + target.search;
}

/**
 * Returns the body with the IDs in the path of a request, from all valid examples of a response.
 * @returns undefined if no example has these IDs, or the path has none
 */
export function matchingExample(
  bodies: readonly object[],
  { ids, variants = [] }: ExampleFacts,
  { path }: Pick<ValidatedInput, 'path'>,
): unknown {
  const requested = Object.entries(ids).filter(([, name]) => Object.hasOwn(path, name));
  if (requested.length === 0) return undefined;
  return variants
    .flatMap((index) => {
      const found = bodies[index];
      return found && 'body' in found ? [found.body] : [];
    })
    .find((body) => isObject(body) && requested.every(([property, name]) => body[property] === path[name]));
}
