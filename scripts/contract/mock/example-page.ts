import type { HandlerResponse } from '../../../server/pipeline/exchange.ts';
import type { TestedOperation } from '../../testing/requests/operations.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { limitNames } from './coherent-body.ts';

/**
 * Returns a page of an example list, if the operation has the parameter `page` and one for the size of a page. The `Link`
 * header leads to the other pages, so that clients can follow it to the end. Other responses are returned unchanged.
 * @param query the validated query parameters
 * @param url path and query of the request
 */
export function examplePage(
  context: SchemaContext,
  operation: TestedOperation,
  response: HandlerResponse,
  query: Readonly<Record<string, unknown>>,
  url: string,
): HandlerResponse {
  const { body, headers = {} } = response;
  const size = limitNames.map((name) => query[name]).find((value) => typeof value === 'number');
  const { page } = query;
  if (!Array.isArray(body) || size === undefined || typeof page !== 'number') return response;
  const first = firstPage(context, operation);
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

/** The number of the first page: 1 if the schema of `page` requires at least 1, otherwise 0. */
function firstPage(context: SchemaContext, { parameters }: TestedOperation): number {
  const schema = parameters.find(({ in: location, name }) => location === 'query' && name === 'page')?.schema;
  return schema !== undefined && context.isValid(schema, 0) ? 0 : 1;
}

function withPage(url: string, page: string): string {
  const target = new URL(url, 'http://mock');
  target.searchParams.set('page', page);
  return target.pathname + target.search;
}
