import fc from 'fast-check';
import { drawn, sieve } from '../schema-values/arbitrary.ts';
import type { BrokenSpace } from '../schema-values/invalid-values.ts';
import type { Operation } from './operations.ts';
import { chosenParameters } from './parameters.ts';
import { concrete, type Part, writableBodies } from './parts.ts';
import type { Request } from './serialize.ts';
import { type Attempt, fieldOf, type Wrong } from './test-case.ts';

/** Requests in which one thing is wrong, always the same. */
export interface WrongRequests {
  wrong: Wrong;
  attempts: fc.Arbitrary<Attempt>;
}

/** Requests of which one part breaks a keyword of its schema: for each that it can break by itself. */
export function brokenPart(
  part: Part,
  { spaces }: BrokenSpace,
  sound: fc.Arbitrary<Request>,
): WrongRequests[] {
  return spaces.flatMap(({ keyword, place, values }) => {
    const wrong: Wrong = { kind: 'broken', keyword, field: fieldOf(part.name, place) };
    const fits = (value: unknown) => part.canTravel(value) && !part.isFine(value);
    // Some cannot be sent at all: a null in a query, a number where everything is text.
    if (![...drawn(values, 40)].some(({ value }) => fits(value))) return [];
    const attempts = fc
      .tuple(
        sound,
        sieve(values, ({ value }) => fits(value), `${keyword} of ${wrong.field}`),
      )
      .map(([request, { value, fault }]) => ({
        request: part.put(request, value),
        what: `${fault.keyword} of ${fieldOf(part.name, fault.place)} broken`,
        wrong: { ...wrong, keyword: fault.keyword, field: fieldOf(part.name, fault.place) },
      }));
    return [{ wrong, attempts }];
  });
}

/** What is wrong with requests whatever their schemas: parts left out, bodies that cannot be read, unknown parameters. */
export const wrongWholes = (operation: Operation, sound: fc.Arbitrary<Request>): WrongRequests[] => [
  ...missingParts(operation, sound),
  ...unreadableBodies(operation, sound),
  unknownParameters(operation, sound),
];

function missingParts(operation: Operation, sound: fc.Arbitrary<Request>): WrongRequests[] {
  const without = (field: string, change: (request: Request) => Request) => {
    const wrong: Wrong = { kind: 'broken', keyword: 'required', field };
    return {
      wrong,
      attempts: sound.map((request) => ({ request: change(request), what: `${field} left out`, wrong })),
    };
  };
  const parameters = chosenParameters(operation).filter((each) => each.required && each.in !== 'path');
  return [
    ...parameters.map(({ name, in: place }) =>
      without(`${place}/${name}`, (request) => {
        const { [name]: _left, ...others } = request[place];
        return { ...request, [place]: others };
      }),
    ),
    ...(operation.body?.required ? [without('body', ({ body: _body, ...request }) => request)] : []),
  ];
}

/** Bodies that cannot be read, and bodies sent as something that the operation does not take. */
function unreadableBodies(operation: Operation, sound: fc.Arbitrary<Request>): WrongRequests[] {
  const types = writableBodies(operation).map(({ mediaType }) => concrete(mediaType));
  const json = types.find((type) => /[/+]json/.test(type));
  const strangers = ['application/xml', 'text/plain', 'application/x-msgpack'].filter(
    (type) =>
      !types.includes(type) &&
      !(operation.body?.types ?? []).some(({ mediaType }) => mediaType.endsWith('/*')),
  );
  const attempts = (wrong: Wrong, instead: fc.Arbitrary<NonNullable<Attempt['instead']>>) => ({
    wrong,
    attempts: fc.tuple(sound, instead).map(([request, changed]) => ({
      request,
      what: `${wrong.keyword} of ${wrong.field}`,
      wrong,
      instead: changed,
    })),
  });
  if (json === undefined) return [];
  return [
    attempts(
      { kind: 'malformed', keyword: 'syntax', field: 'body' },
      fc
        .constantFrom('{', '[1,', '{"a":}', "{'a': 1}", 'nul', '{} {}', '\u0001', '"', '{"a": 1,}')
        .map((body) => ({ body, headers: { 'Content-Type': json } })),
    ),
    ...(strangers.length === 0
      ? []
      : [
          attempts(
            { kind: 'mediaType', keyword: 'media type', field: 'header/Content-Type' },
            fc.constantFrom(...strangers).map((type) => ({ body: '{}', headers: { 'Content-Type': type } })),
          ),
        ]),
  ];
}

/** A query parameter that the contract does not have. */
function unknownParameters({ parameters }: Operation, sound: fc.Arbitrary<Request>): WrongRequests {
  const known = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const names = fc
    .constantFrom('unknown', 'Page', 'limit', 'fields[]', 'x')
    .filter((name) => !known.includes(name));
  const wrong: Wrong = { kind: 'unknown', keyword: 'unknown', field: 'query/unknown' };
  return {
    wrong,
    attempts: fc.tuple(sound, names).map(([request, name]) => ({
      request: { ...request, query: { ...request.query, [name]: '1' } },
      what: `an unknown parameter ${name}`,
      wrong: { ...wrong, field: `query/${name}` },
    })),
  };
}
