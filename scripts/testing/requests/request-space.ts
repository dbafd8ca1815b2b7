import type fc from 'fast-check';
import { fieldOf } from '../../../server/lib/field-error.ts';
import { type BoundaryValue, boundaryValuesOf } from '../schema-values/boundary-values.ts';
import { invalidValuesOf } from '../schema-values/invalid-values.ts';
import { type UnsupportedKeyword, unsupportedKeywords } from '../schema-values/keywords.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { type InvalidRequests, invalidPart, invalidWholeRequests } from './invalid-requests.ts';
import type { TestedOperation } from './operations.ts';
import { isWritable, type RequestPart, requestPartsOf } from './parts.ts';
import type { GeneratedRequest } from './serialize.ts';
import type { TestCase } from './test-case.ts';
import { minimalRequest, validRequests } from './valid-requests.ts';

/** Generators of valid and invalid requests to an operation, and requests with boundary values. */
export interface RequestSpace {
  operation: TestedOperation;
  valid: fc.Arbitrary<TestCase>;
  /** One generator per kind of violation. */
  invalid: InvalidRequests[];
  /** Requests with boundary values: just below, on and just above each limit. */
  limits: TestCase[];
  gaps: GenerationGaps;
}

/** Parts of the contract that the requests do not test. */
export interface GenerationGaps {
  unsupported: (UnsupportedKeyword & { part: string })[];
  unreached: { part: string; keyword: string; location: string; side: string; reason: string }[];
  /** Examples that violate their own schemas. */
  invalidExamples: { part: string; name: string }[];
}

/**
 * Returns the requests that test an operation.
 * @param context the request view of the contract
 * @throws UnsatisfiableSchema if no valid request exists
 */
export function requestSpaceOf(context: SchemaContext, operation: TestedOperation): RequestSpace {
  const valid = validRequests(context, operation);
  const gaps: GenerationGaps = {
    unsupported: [],
    unreached: [],
    invalidExamples: [],
  };
  const broken: RequestSpace['invalid'] = [];
  const limits: TestCase[] = [];
  const base = minimalRequest(valid);
  for (const { mediaType } of operation.body?.content ?? [])
    if (!isWritable(mediaType)) gaps.unsupported.push({ part: 'body', keyword: mediaType, at: '/' });
  for (const part of requestPartsOf(context, operation)) {
    const unsupported = unsupportedKeywords(part.schema, context.resolve);
    gaps.unsupported.push(...unsupported.map((each) => ({ ...each, part: part.name })));
    broken.push(...invalidPart(part, invalidValuesOf(context, part.schema), valid));
    for (const { name, value } of part.examples)
      if (!context.isValid(part.schema, value)) gaps.invalidExamples.push({ part: part.name, name });
    const { values, unreached } = boundaryValuesOf(context, part.schema);
    gaps.unreached.push(...unreached.map((each) => ({ ...each, part: part.name })));
    const atLimits = values.map((each) => ({ ...each, value: part.sendable(each.value) }));
    if (base) limits.push(...limitAttempts(part, atLimits, base));
    for (const { keyword, location, side, value, isValid } of atLimits)
      if (!part.isSerializable(value) || (!isValid && part.isFine(value))) {
        const reason = part.isSerializable(value) ? 'its text is a valid value' : 'it cannot be serialized';
        gaps.unreached.push({ part: part.name, keyword, location, side, reason });
      }
  }
  broken.push(...invalidWholeRequests(operation, valid));
  return {
    operation,
    valid: valid.map((request) => ({ request, what: 'a valid request', wrong: undefined })),
    invalid: broken,
    limits,
    gaps,
  };
}

const limitAttempts = (
  part: RequestPart,
  values: readonly BoundaryValue[],
  base: GeneratedRequest,
): TestCase[] =>
  values
    .filter(({ value, isValid }) => part.isSerializable(value) && (isValid || !part.isFine(value)))
    .map(({ keyword, location, side, value, isValid, brokenAt = '' }) => {
      const field = fieldOf(part.name, location);
      return {
        request: part.put(base, value),
        part: part.name,
        what: `${keyword} of ${field}, ${side}`,
        wrong: isValid ? undefined : { kind: 'broken', keyword, field: fieldOf(part.name, brokenAt) },
      };
    });
