import type { IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { invalid, Refused } from '../errors.ts';
import { unsoundText } from '../lib/json-text.ts';
import type { CheckedInput } from './exchange.ts';
import { problemsFrom } from './field-errors.ts';
import type { JudgedOperation, RequestParts } from './operation.ts';
import { cookiesOf, headersTwice, pickHeaders, takeUnreadable } from './parameters.ts';
import type { ReadBody } from './read-body.ts';

/**
 * Holds a request against its operation: what comes out is coerced, has its defaults, and keeps the contract.
 * @param path the path's parameters, decoded
 * @throws Refused naming every wrong place
 */
export function checkRequest(
  operation: JudgedOperation,
  req: IncomingMessage,
  path: Record<string, unknown>,
  { body, mediaType }: ReadBody,
): CheckedInput {
  const url = req.url ?? '/';
  const parts: RequestParts = {
    query: queryOf(url),
    headers: pickHeaders(operation, req),
    params: { ...path },
    cookies: cookiesOf(operation, req),
    body,
  };
  // What is refused here is taken out, so that the judge does not name it a second time.
  const problems = [
    ...takeUnreadable(operation.reading.query, parts.query),
    ...takeUnreadable(operation.reading.path, parts.params),
    ...headersTwice(operation, req, parts.headers),
  ];
  if (operation.bodyRequired && mediaType === undefined)
    problems.push({ field: 'body', message: 'is required' });
  const findings = operation.judgeRequest(parts, mediaType, url);
  problems.push(
    ...problemsFrom(operation, findings),
    ...unsoundText(parts.query).map(({ field, message }) => ({ field: `query${field}`, message })),
    ...unsoundText(parts.params).map(({ field, message }) => ({ field: `path${field}`, message })),
    ...unsoundText(parts.body).map(({ field, message }) => ({ field: field || 'body', message })),
  );
  if (problems.length > 0) throw new Refused(invalid(problems));
  return { path: parts.params, query: parts.query, headers: parts.headers, body: parts.body };
}

function queryOf(url: string): Record<string, unknown> {
  const mark = url.indexOf('?');
  return mark < 0 ? {} : { ...parseQuery(url.slice(mark + 1), '&', '=', { maxKeys: 0 }) };
}
