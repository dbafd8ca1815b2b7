import type fc from 'fast-check';
import { fieldOf } from '../../../server/lib/field-error.ts';
import { boundaryValuesOf } from '../schema-values/boundary-values.ts';
import { invalidValuesOf } from '../schema-values/invalid-values.ts';
import { type UnsupportedKeyword, unsupportedKeywords } from '../schema-values/keywords.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { type InvalidRequests, invalidPart, invalidWholeRequests } from './invalid-requests.ts';
import type { TestedOperation } from './operations.ts';
import { isWritable, requestPartsOf } from './parts.ts';
import type { TestCase } from './serialize.ts';
import { minimalRequest, validRequests } from './valid-requests.ts';

/** Generators of valid and invalid requests to an operation, and requests with boundary values. */
export interface RequestSpace {
  operation: TestedOperation;
  valid: fc.Arbitrary<TestCase>;
  /** One generator per kind of violation. */
  invalid: InvalidRequests[];
  /** Requests with boundary values: just below, on and just above each limit. */
  limits: TestCase[];
}

/** Parts of the contract that the requests do not test. The names of parts begin with the ID of their operation. */
export interface GenerationGaps {
  unsupported: (UnsupportedKeyword & { part: string })[];
  unreached: { part: string; keyword: string; location: string; side: string; reason: string }[];
  /** Examples that violate their own schemas. */
  invalidExamples: { part: string; name: string }[];
}

/** Returns gaps of no operation. */
export const noGaps = (): GenerationGaps => ({ unsupported: [], unreached: [], invalidExamples: [] });

/**
 * Returns the requests that test an operation.
 * @param context the request view of the contract
 * @param gaps gets what they do not test
 * @throws UnsatisfiableSchema if no valid request exists
 */
export function requestSpaceOf(
  context: SchemaContext,
  operation: TestedOperation,
  gaps: GenerationGaps = noGaps(),
): RequestSpace {
  const valid = validRequests(context, operation);
  const broken: RequestSpace['invalid'] = [];
  const limits: TestCase[] = [];
  const base = minimalRequest(valid);
  for (const { mediaType } of operation.body?.content ?? [])
    if (!isWritable(mediaType))
      gaps.unsupported.push({ part: `${operation.id} body`, keyword: mediaType, at: '/' });
  for (const part of requestPartsOf(context, operation)) {
    const name = { part: `${operation.id} ${part.name}` };
    const unsupported = unsupportedKeywords(part.schema, context.resolve);
    gaps.unsupported.push(...unsupported.map((each) => ({ ...each, ...name })));
    broken.push(...invalidPart(part, invalidValuesOf(context, part.schema), valid));
    for (const example of part.examples)
      if (!context.isValid(part.schema, example.value))
        gaps.invalidExamples.push({ ...name, name: example.name });
    const { values, unreached } = boundaryValuesOf(context, part.schema);
    gaps.unreached.push(...unreached.map((each) => ({ ...each, ...name })));
    for (const each of values) {
      const value = part.sendable(each.value);
      const { keyword, location, side, isValid, brokenAt = '' } = each;
      const reason = !part.isSerializable(value)
        ? 'it cannot be serialized'
        : !isValid && part.isFine(value)
          ? 'its text is a valid value'
          : undefined;
      if (reason !== undefined) gaps.unreached.push({ ...name, keyword, location, side, reason });
      else if (base)
        limits.push({
          request: part.put(base, value),
          part: part.name,
          what: `${keyword} of ${fieldOf(part.name, location)}, ${side}`,
          wrong: isValid ? undefined : { kind: 'broken', keyword, field: fieldOf(part.name, brokenAt) },
        });
    }
  }
  broken.push(...invalidWholeRequests(operation, valid));
  return {
    operation,
    valid: valid.map((request) => ({ request, what: 'a valid request', wrong: undefined })),
    invalid: broken,
    limits,
  };
}

/** Returns the requests to an operation without those whose bodies are invalid. */
export function withoutInvalidBodies(space: RequestSpace): RequestSpace {
  const isOfBody = (wrong: TestCase['wrong']) =>
    wrong !== undefined && !/^(path|query|header|cookie)\//.test(wrong.field);
  return {
    ...space,
    invalid: space.invalid.filter(({ wrong }) => !isOfBody(wrong)),
    limits: space.limits.filter(({ wrong }) => !isOfBody(wrong)),
  };
}
