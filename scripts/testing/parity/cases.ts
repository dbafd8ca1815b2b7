import fc from 'fast-check';
import { exampleRequests } from '../requests/examples.ts';
import type { Operation } from '../requests/operations.ts';
import type { RequestSpace } from '../requests/request-space.ts';
import { kindOf } from '../requests/resource-ids.ts';
import { type Wire, wireOf } from '../requests/serialize.ts';
import type { Attempt } from '../requests/test-case.ts';
import type { World } from '../schema-values/schema-context.ts';

/** A request that two services are asked for, and who asks. */
export interface Asked {
  what: string;
  operation: Operation;
  wire: Wire;
  /** `all` may do everything, `too little` lacks what the operation needs, the others bring no token that holds. */
  caller: 'all' | 'too little' | 'nobody' | 'a stranger';
}

/**
 * What is asked about one operation: its examples, its limits, sound requests and broken ones of every kind, and what
 * no schema speaks of: who asks, how HTTP is written, how numbers and texts are spelled.
 * @param counts how many random ones: sound, and of each kind of broken
 */
export function askedOf(
  world: World,
  space: RequestSpace,
  counts: { sound: number; broken: number; seed: number },
): Asked[] {
  const { seed } = counts;
  const attempts = [
    ...exampleRequests(world, space),
    ...space.limits,
    ...fc.sample(space.sound, { numRuns: counts.sound, seed }),
    // With one seed all would be broken versions of the same few requests.
    ...space.broken.flatMap(({ attempts }, place) =>
      fc.sample(attempts, { numRuns: counts.broken, seed: seed + place }),
    ),
  ];
  const [shown] = exampleRequests(world, space);
  return [
    ...attempts.map((attempt) => ask(attempt)),
    ...(shown ? [...beyondSchemas(world, shown), ...byOthers(ask(shown))] : []),
  ];
}

function ask({ request, what, instead }: Attempt): Asked {
  const wire = wireOf(request);
  const headers = { ...wire.headers, ...instead?.headers };
  return { what, operation: request.operation, wire: { ...wire, ...instead, headers }, caller: 'all' };
}

const byOthers = (asked: Asked): Asked[] =>
  (['too little', 'nobody', 'a stranger'] as const).map((caller) => ({
    ...asked,
    caller,
    what: `${caller} asks`,
  }));

/** What HTTP, I-JSON and the spelling of numbers have rules for, and no schema (D01, D10, D15, D29). */
function beyondSchemas(world: World, attempt: Attempt): Asked[] {
  const { request } = attempt;
  const { operation } = request;
  const sound = ask(attempt);
  const with_ = (what: string, change: Partial<Wire>): Asked => ({
    ...sound,
    what,
    wire: { ...sound.wire, ...change },
  });
  const { target, headers, body } = sound.wire;
  const mark = target.includes('?') ? '&' : '?';
  return [
    with_('HEAD', { method: 'HEAD', body: undefined }),
    with_('OPTIONS', { method: 'OPTIONS', body: undefined }),
    with_('a method that nobody has', { method: 'PROPFIND', body: undefined }),
    with_('a path that is not there', { target: `${target.split('?')[0]}/more` }),
    with_('malformed percent-encoding in the query', { target: `${target}${mark}x=%ZZ` }),
    with_('a name without a value', { target: `${target}${mark}x` }),
    ...(operation.path.includes('{')
      ? ['%E0%A4%A', '0x11', '1e1', '%2B5', '007', '-1', '1.5', '%00', 'me'].map((id) =>
          with_(`the id ${id}`, { target: operation.path.replace(/\{[^}]+\}/g, id) }),
        )
      : []),
    ...spelledOtherwise(world, attempt, sound),
    ...operation.parameters
      .filter((each) => each.in === 'header')
      .map(({ name }) => with_(`${name} twice`, { headers: { ...headers, [name]: ['"one"', '"two"'] } })),
    ...(body === undefined
      ? [
          with_('a body that is not read', {
            body: '{',
            headers: { ...headers, 'Content-Type': 'text/html' },
          }),
        ]
      : bodiesOtherwise(body, headers).map(([what, change]) => with_(what, change))),
  ];
}

const jsonType = 'application/json';

function bodiesOtherwise(body: string, headers: Wire['headers']): [string, Partial<Wire>][] {
  const typed = (type: string) => ({ headers: { ...headers, 'Content-Type': type } });
  return [
    ['a compressed body', { headers: { ...headers, 'Content-Encoding': 'gzip' } }],
    ['a body in Latin-1', typed(`${jsonType}; charset=latin1`)],
    ['a body in UTF-8', typed(`${jsonType}; charset=utf-8`)],
    ['a body of a version of JSON', typed('application/vnd.api+json')],
    ['a body without a type', { headers: { ...headers, 'Content-Type': '' } }],
    ['a body that is too large', { body: `${body}${' '.repeat(1_048_577)}` }],
    ['a text that is no text', { body: body.replace(/:"[^"]*"/, ':"\\u0000"') }],
    ['half a character', { body: body.replace(/:"[^"]*"/, ':"\\ud800"') }],
    ['a property named twice', { body: body.replace(/^\{/, '{"first_name":7,') }],
  ];
}

/** Parameters given twice, or empty; numbers in another spelling. */
function spelledOtherwise(world: World, { request }: Attempt, sound: Asked): Asked[] {
  const { operation } = request;
  const base = wireOf({ ...request, query: {} }).target;
  const query = (what: string, text: string): Asked => ({
    ...sound,
    what,
    wire: { ...sound.wire, target: `${base}?${text}` },
  });
  const named = operation.parameters.filter((each) => each.in === 'query');
  return named.flatMap(({ name, schema }) => [
    query(`${name} twice`, `${name}=1&${name}=2`),
    query(`${name} empty`, `${name}=`),
    query(`${name} with NUL`, `${name}=a%00`),
    ...(world.isValid(schema, 7) || kindOf(world, schema) !== undefined
      ? ['0x11', '1e1', '%2B5', '%205', '05', '5.0', '٣'].map((text) =>
          query(`${name} as ${text}`, `${name}=${encodeURI(decodeURI(text))}`),
        )
      : []),
  ]);
}
