import fc from 'fast-check';
import { isJson } from '../../../server/contract/media-type.ts';
import { fieldOf } from '../../../server/lib/field-error.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { filterOrThrow, sampleValues } from '../schema-values/arbitrary.ts';
import type { InvalidValueSpace } from '../schema-values/invalid-values.ts';
import { concrete, type RequestParameter, type TestedOperation } from './operations.ts';
import { chosenParameters } from './parameters.ts';
import { type RequestPart, writableBodies } from './parts.ts';
import type { GeneratedRequest, InvalidInput, TestCase } from './serialize.ts';

/** Requests with one kind of violation. */
export interface InvalidRequests {
  wrong: InvalidInput;
  attempts: fc.Arbitrary<TestCase>;
}

/** Returns requests in which one part violates a keyword of its schema. */
export function invalidPart(
  part: RequestPart,
  spaces: readonly InvalidValueSpace[],
  valid: fc.Arbitrary<GeneratedRequest>,
): InvalidRequests[] {
  return spaces.flatMap(({ keyword, location, values }) => {
    const wrong: InvalidInput = { kind: 'broken', keyword, field: fieldOf(part.name, location) };
    const fits = (value: unknown) => part.isSerializable(value) && !part.isFine(value);
    // Some values cannot be sent: null in a query, or a number where everything is text.
    if (!sampleValues(values, 40).some(({ value }) => fits(value))) return [];
    const attempts = fc
      .tuple(
        valid,
        filterOrThrow(values, ({ value }) => fits(value), `${keyword} of ${wrong.field}`),
      )
      .map(([request, { value, violation }]) => ({
        request: part.put(request, value),
        what: `${violation.keyword} of ${fieldOf(part.name, violation.location)} broken`,
        wrong: { ...wrong, keyword: violation.keyword, field: fieldOf(part.name, violation.location) },
      }));
    return [{ wrong, attempts }];
  });
}

/** Returns requests that are invalid regardless of schemas: missing parts and unreadable bodies. */
export const invalidWholeRequests = (
  operation: TestedOperation,
  valid: fc.Arbitrary<GeneratedRequest>,
): InvalidRequests[] => [...missingParts(operation, valid), ...unreadableBodies(operation, valid)];

function missingParts(operation: TestedOperation, valid: fc.Arbitrary<GeneratedRequest>): InvalidRequests[] {
  const without = (field: string, change: (request: GeneratedRequest) => GeneratedRequest) => {
    const wrong: InvalidInput = { kind: 'broken', keyword: 'required', field };
    return {
      wrong,
      attempts: valid.map((request) => ({ request: change(request), what: `${field} missing`, wrong })),
    };
  };
  // Any properties, or none, are a value of an object whose properties are sent by themselves.
  const isAnyQuery = ({ in: location, style, explode, schema }: RequestParameter) =>
    location === 'query' &&
    style === 'form' &&
    explode &&
    isObject(schema) &&
    schema.type === 'object' &&
    schema.properties === undefined;
  // The credentials of a request can include a parameter, which is then never missing.
  const isCredential = ({ in: location, name }: RequestParameter) =>
    operation.securitySchemes
      .flat()
      .some((scheme) => scheme.in === location && scheme.name?.toLowerCase() === name.toLowerCase());
  const parameters = chosenParameters(operation).filter(
    (each) => each.required && each.in !== 'path' && !isCredential(each) && !isAnyQuery(each),
  );
  return [
    ...parameters.map(({ name, in: location }) =>
      without(`${location}/${name}`, (request) => {
        const { [name]: _left, ...others } = request[location];
        return { ...request, [location]: others };
      }),
    ),
    ...(operation.body?.required ? [without('body', ({ body: _body, ...request }) => request)] : []),
  ];
}

/** Bodies that cannot be parsed, or whose media type the operation does not accept. */
function unreadableBodies(
  operation: TestedOperation,
  valid: fc.Arbitrary<GeneratedRequest>,
): InvalidRequests[] {
  const types = writableBodies(operation).map(({ mediaType }) => concrete(mediaType));
  const json = types.find(isJson);
  const strangers = ['application/xml', 'text/plain', 'application/x-msgpack'].filter(
    (type) =>
      !types.includes(type) &&
      !(operation.body?.content ?? []).some(({ mediaType }) => mediaType.startsWith(type)) &&
      !(operation.body?.content ?? []).some(({ mediaType }) => mediaType.endsWith('/*')),
  );
  const attempts = (wrong: InvalidInput, instead: fc.Arbitrary<NonNullable<TestCase['instead']>>) => ({
    wrong,
    attempts: fc.tuple(valid, instead).map(([request, changed]) => ({
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
