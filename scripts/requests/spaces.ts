import fc from 'fast-check';
import { type BrokenSpace, brokenOf, type Inseparable } from '../instances/broken.ts';
import { surveyOf, type Unsupported } from '../instances/keywords.ts';
import { type Limits, limitsOf } from '../instances/limits.ts';
import { drawn, sieve } from '../instances/making.ts';
import { isObject, type Schema } from '../instances/schema.ts';
import { valuesOf } from '../instances/values.ts';
import type { World } from '../instances/world.ts';
import { type Attempt, fieldOf, type Wrong } from './attempt.ts';
import { kindOf, propertiesOf } from './ids.ts';
import type { Operation, Parameter } from './operations.ts';
import { canTravel, chosenParameters } from './parameters.ts';
import type { Request } from './wire.ts';

/** Everything that can be sent to an operation: what fits its contract, and what does not. */
export interface RequestSpace {
  operation: Operation;
  sound: fc.Arbitrary<Attempt>;
  /** One for each thing that can be wrong. */
  broken: { wrong: Wrong; attempts: fc.Arbitrary<Attempt> }[];
  /** One below, on and one above each limit. */
  limits: Attempt[];
  gaps: Gaps;
}

/** What could not be made, by name. */
export interface Gaps {
  unsupported: (Unsupported & { part: string })[];
  inseparable: (Inseparable & { part: string })[];
  unreached: { part: string; keyword: string; place: string; side: string }[];
}

/** A parameter or a kind of body: what is made and broken by itself. */
interface Part {
  /** As an error begins with it: `query/page`, `body`. */
  name: string;
  schema: Schema;
  canTravel: (value: unknown) => boolean;
  isFine: (value: unknown) => boolean;
  put: (request: Request, value: unknown) => Request;
}

/**
 * @param world of the document as it speaks of requests
 * @throws CannotMake where no sound request can be made
 */
export function requestsTo(world: World, operation: Operation): RequestSpace {
  const sound = soundRequests(world, operation).map((request) => withOwnId(world, request));
  const gaps: Gaps = { unsupported: [], inseparable: [], unreached: [] };
  const broken: RequestSpace['broken'] = [];
  const limits: Attempt[] = [];
  const base = plainest(operation, sound);
  for (const part of partsOf(world, operation)) {
    const survey = surveyOf(part.schema, world.resolve);
    gaps.unsupported.push(...survey.unsupported.map((each) => ({ ...each, part: part.name })));
    const space = brokenOf(world, part.schema);
    gaps.inseparable.push(...space.inseparable.map((each) => ({ ...each, part: part.name })));
    broken.push(...brokenPart(part, space, sound));
    const atLimits = limitsOf(world, part.schema);
    gaps.unreached.push(...atLimits.unreached.map((each) => ({ ...each, part: part.name })));
    if (base) limits.push(...limitAttempts(part, atLimits, base));
  }
  broken.push(
    ...missingParts(operation, sound),
    ...unreadableBodies(operation, sound),
    unknownParameters(operation, sound),
  );
  return {
    operation,
    sound: sound.map((request) => ({ request, what: 'a sound request', wrong: undefined })),
    broken,
    limits,
    gaps,
  };
}

/** A short request with what has to be there: what surrounds a limit only distracts from it. */
function plainest(operation: Operation, sound: fc.Arbitrary<Request>): Request | undefined {
  const some = fc.sample(sound, { numRuns: 30, seed: 1 }).map((request) => {
    const kept = Object.entries(request.header).filter(([name]) =>
      operation.parameters.some((each) => each.in === 'header' && each.name === name && each.required),
    );
    return { ...request, header: Object.fromEntries(kept) };
  });
  return some.sort((one, other) => sizeOf(one) - sizeOf(other))[0];
}

const sizeOf = ({ operation: _operation, ...parts }: Request): number => JSON.stringify(parts).length;

/** Requests that fit: what is required always, everything else now and then. */
function soundRequests(world: World, operation: Operation): fc.Arbitrary<Request> {
  const parameters = chosenParameters(operation);
  const placed = (place: Parameter['in']) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    const values = Object.fromEntries(own.map((each) => [each.name, soundValues(world, each)]));
    const requiredKeys = own.filter(({ required }) => required || place === 'path').map(({ name }) => name);
    return fc.record(values, { requiredKeys, noNullPrototype: true });
  };
  const bodies = (operation.body?.types ?? []).map(({ mediaType, schema }) =>
    valuesOf(world, [schema]).map((value) => ({ mediaType: concrete(mediaType), value })),
  );
  const body =
    bodies.length === 0
      ? fc.constant(undefined)
      : operation.body?.required
        ? fc.oneof(...bodies)
        : fc.option(fc.oneof(...bodies), { nil: undefined });
  return fc
    .record(
      {
        path: placed('path'),
        query: placed('query'),
        header: placed('header'),
        cookie: placed('cookie'),
        body,
      },
      { noNullPrototype: true },
    )
    .map((parts) => ({ operation, ...parts }));
}

const soundValues = (world: World, parameter: Parameter): fc.Arbitrary<unknown> =>
  sieve(
    valuesOf(world, [parameter.schema]),
    (value) => canTravel(parameter, value),
    `${parameter.in}/${parameter.name}`,
  );

/** A type that is sent where the contract names a family. */
const concrete = (mediaType: string): string =>
  mediaType === '*/*' || mediaType === 'application/*'
    ? 'application/json'
    : mediaType.replace('text/*', 'text/plain');

/** Where a body names what the path names, too, it has to be the same: no schema says so. */
function withOwnId(world: World, request: Request): Request {
  const { operation, path, body } = request;
  const inPath = operation.parameters.flatMap((each) => {
    const kind = each.in === 'path' ? kindOf(world, each.schema) : undefined;
    return kind === undefined ? [] : [{ kind, value: path[each.name] }];
  });
  if (inPath.length === 0 || !body || !isObject(body.value)) return request;
  const schema = operation.body?.types.find(
    ({ mediaType }) => concrete(mediaType) === body.mediaType,
  )?.schema;
  const properties = schema === undefined ? {} : propertiesOf(world, schema);
  const own = Object.entries(body.value).map(([name, value]) => {
    const property = properties[name];
    const kind = property === undefined ? undefined : kindOf(world, property);
    return [name, inPath.find((each) => each.kind === kind)?.value ?? value];
  });
  return { ...request, body: { ...body, value: Object.fromEntries(own) } };
}

function partsOf(world: World, operation: Operation): Part[] {
  const parameters = chosenParameters(operation).map((parameter): Part => {
    const { name, in: place, schema } = parameter;
    return {
      name: `${place}/${name}`,
      schema,
      canTravel: (value) => canTravel(parameter, value),
      // Everything is text on the way: a number is a text, too.
      isFine: (value) => world.acceptsText(schema, value),
      put: (request, value) => ({ ...request, [place]: { ...request[place], [name]: value } }),
    };
  });
  const bodies = (operation.body?.types ?? []).map(
    ({ mediaType, schema }): Part => ({
      name: 'body',
      schema,
      canTravel: (value) => /[/+]json/.test(concrete(mediaType)) || typeof value === 'string',
      isFine: () => false,
      put: (request, value) => ({ ...request, body: { mediaType: concrete(mediaType), value } }),
    }),
  );
  return [...parameters, ...bodies];
}

function brokenPart(
  part: Part,
  { spaces }: BrokenSpace,
  sound: fc.Arbitrary<Request>,
): RequestSpace['broken'] {
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

const limitAttempts = (part: Part, { values }: Limits, base: Request): Attempt[] =>
  values
    .filter(({ value, isValid }) => part.canTravel(value) && (isValid || !part.isFine(value)))
    .map(({ keyword, place, side, value, isValid, brokenAt = '' }) => {
      const field = fieldOf(part.name, place);
      return {
        request: part.put(base, value),
        what: `${keyword} of ${field}, ${side}`,
        wrong: isValid ? undefined : { kind: 'broken', keyword, field: fieldOf(part.name, brokenAt) },
      };
    });

function missingParts(operation: Operation, sound: fc.Arbitrary<Request>): RequestSpace['broken'] {
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
function unreadableBodies(operation: Operation, sound: fc.Arbitrary<Request>): RequestSpace['broken'] {
  const types = (operation.body?.types ?? []).map(({ mediaType }) => concrete(mediaType));
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
function unknownParameters(
  { parameters }: Operation,
  sound: fc.Arbitrary<Request>,
): RequestSpace['broken'][number] {
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
