import fc from 'fast-check';
import { exampleRequests } from '../../../../scripts/testing/requests/examples.ts';
import type { TestedOperation } from '../../../../scripts/testing/requests/operations.ts';
import type { RequestSpace } from '../../../../scripts/testing/requests/request-space.ts';
import { resourceTypeOf } from '../../../../scripts/testing/requests/resource-ids.ts';
import { type SerializedRequest, serializeRequest } from '../../../../scripts/testing/requests/serialize.ts';
import type { TestCase } from '../../../../scripts/testing/requests/test-case.ts';
import type { SchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';

/** A request, and the kind of token that it carries. */
export interface RequestCase {
  what: string;
  operation: TestedOperation;
  wire: SerializedRequest;
  /** `all`: a token with all scopes. `too little`: a token without the scopes of the operation. `nobody`: none. */
  caller: 'all' | 'too little' | 'nobody' | 'an unknown token';
}

/**
 * Returns the requests of an operation: examples, boundary values, valid and invalid requests, and cases that
 * no schema describes: credentials, HTTP syntax, notations of numbers and strings.
 * @param counts number of random requests: valid ones, and invalid ones per kind of violation
 */
export function requestCasesOf(
  context: SchemaContext,
  space: RequestSpace,
  counts: { valid: number; invalid: number; seed: number },
): RequestCase[] {
  const { seed } = counts;
  const attempts = [
    ...exampleRequests(context, space),
    ...space.limits,
    ...fc.sample(space.valid, { numRuns: counts.valid, seed }),
    // With the same seed for every kind of violation, all violations would be in the same few requests.
    ...space.invalid.flatMap(({ attempts }, index) =>
      fc.sample(attempts, { numRuns: counts.invalid, seed: seed + index }),
    ),
  ];
  const [shown] = exampleRequests(context, space);
  return [
    ...attempts.map((attempt) => ask(attempt)),
    ...(shown ? [...beyondSchemas(context, shown), ...byOthers(ask(shown))] : []),
  ];
}

function ask({ request, what, instead }: TestCase): RequestCase {
  const wire = serializeRequest(request);
  const headers = { ...wire.headers, ...instead?.headers };
  return { what, operation: request.operation, wire: { ...wire, ...instead, headers }, caller: 'all' };
}

const byOthers = (requested: RequestCase): RequestCase[] =>
  (['too little', 'nobody', 'an unknown token'] as const).map((caller) => ({
    ...requested,
    caller,
    what: `${caller} asks`,
  }));

/** Returns requests for rules of HTTP, I-JSON and number notation, which no schema describes (D01, D10, D15, D29). */
function beyondSchemas(context: SchemaContext, attempt: TestCase): RequestCase[] {
  const { request } = attempt;
  const { operation } = request;
  const valid = ask(attempt);
  const with_ = (what: string, change: Partial<SerializedRequest>): RequestCase => ({
    ...valid,
    what,
    wire: { ...valid.wire, ...change },
  });
  const { target, headers, body } = valid.wire;
  const mark = target.includes('?') ? '&' : '?';
  return [
    with_('HEAD', { method: 'HEAD', body: undefined }),
    with_('OPTIONS', { method: 'OPTIONS', body: undefined }),
    with_('an unknown method', { method: 'PROPFIND', body: undefined }),
    with_('an unknown path', { target: `${target.split('?')[0]}/more` }),
    with_('malformed percent-encoding in the query', { target: `${target}${mark}x=%ZZ` }),
    with_('a name without a value', { target: `${target}${mark}x` }),
    ...(operation.path.includes('{')
      ? ['%E0%A4%A', '0x11', '1e1', '%2B5', '007', '-1', '1.5', '%00', 'me'].map((id) =>
          with_(`the id ${id}`, { target: operation.path.replace(/\{[^}]+\}/g, id) }),
        )
      : []),
    ...spelledOtherwise(context, attempt, valid),
    ...operation.parameters
      .filter((each) => each.in === 'header')
      .map(({ name }) => with_(`${name} twice`, { headers: { ...headers, [name]: ['"one"', '"two"'] } })),
    ...(body === undefined
      ? [
          with_('a body of an operation without one', {
            body: '{',
            headers: { ...headers, 'Content-Type': 'text/html' },
          }),
        ]
      : bodiesOtherwise(body, headers).map(([what, change]) => with_(what, change))),
  ];
}

const jsonType = 'application/json';

function bodiesOtherwise(
  body: string,
  headers: SerializedRequest['headers'],
): [string, Partial<SerializedRequest>][] {
  const typed = (type: string) => ({ headers: { ...headers, 'Content-Type': type } });
  return [
    ['a compressed body', { headers: { ...headers, 'Content-Encoding': 'gzip' } }],
    ['a body in Latin-1', typed(`${jsonType}; charset=latin1`)],
    ['a body in UTF-8', typed(`${jsonType}; charset=utf-8`)],
    ['a body with a JSON media type suffix', typed('application/vnd.api+json')],
    ['a body without a media type', { headers: { ...headers, 'Content-Type': '' } }],
    ['a body that is too large', { body: `${body}${' '.repeat(1_048_577)}` }],
    ['a NUL character', { body: body.replace(/:"[^"]*"/, ':"\\u0000"') }],
    ['an incomplete character', { body: body.replace(/:"[^"]*"/, ':"\\ud800"') }],
    ['a duplicate property', { body: body.replace(/^\{/, '{"first_name":7,') }],
  ];
}

/** Returns requests with repeated or empty parameters, with NUL, or with numbers in another notation. */
function spelledOtherwise(context: SchemaContext, { request }: TestCase, valid: RequestCase): RequestCase[] {
  const { operation } = request;
  const base = serializeRequest({ ...request, query: {} }).target;
  const query = (what: string, text: string): RequestCase => ({
    ...valid,
    what,
    wire: { ...valid.wire, target: `${base}?${text}` },
  });
  const named = operation.parameters.filter((each) => each.in === 'query');
  return named.flatMap(({ name, schema }) => [
    query(`${name} twice`, `${name}=1&${name}=2`),
    query(`${name} empty`, `${name}=`),
    query(`${name} with NUL`, `${name}=a%00`),
    ...(context.isValid(schema, 7) || resourceTypeOf(context, schema) !== undefined
      ? ['0x11', '1e1', '%2B5', '%205', '05', '5.0', '٣'].map((text) =>
          query(`${name} as ${text}`, `${name}=${encodeURI(decodeURI(text))}`),
        )
      : []),
  ]);
}
