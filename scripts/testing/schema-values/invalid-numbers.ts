import fc from 'fast-check';
import type { Alternative } from './alternatives.ts';
import { allowedTypes } from './alternatives.ts';
import { formatGenerators } from './format-generators.ts';
import type { ViolationGenerator } from './violation.ts';

/** Numbers that violate a limit, `multipleOf` or a format, one generator per keyword. */
export function numberViolations(alternative: Alternative): ViolationGenerator[] {
  const whole = !allowedTypes(alternative).includes('number');
  const breaker = (keyword: string, values: fc.Arbitrary<unknown>): ViolationGenerator => ({
    keyword,
    inside: '',
    values,
  });
  return alternative.conjuncts.flatMap((schema) => {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
    const made =
      format !== undefined && Object.hasOwn(formatGenerators, format) ? formatGenerators[format] : undefined;
    return [
      ...(minimum === undefined ? [] : [breaker('minimum', beyond(minimum, -1, whole, false))]),
      ...(maximum === undefined ? [] : [breaker('maximum', beyond(maximum, 1, whole, false))]),
      ...(exclusiveMinimum === undefined
        ? []
        : [breaker('exclusiveMinimum', beyond(exclusiveMinimum, -1, whole, true))]),
      ...(exclusiveMaximum === undefined
        ? []
        : [breaker('exclusiveMaximum', beyond(exclusiveMaximum, 1, whole, true))]),
      ...(multipleOf === undefined ? [] : [breaker('multipleOf', withinLimits(alternative, whole))]),
      ...(made && /^int/.test(format ?? '') ? [breaker('format', made.invalid)] : []),
    ];
  });
}

/** Numbers beyond a limit, near and far, and the limit itself if it is exclusive. */
function beyond(limit: number, side: 1 | -1, whole: boolean, excluded: boolean): fc.Arbitrary<unknown> {
  const edge = whole ? (side > 0 ? Math.floor(limit) : Math.ceil(limit)) : limit;
  const steps = fc.oneof(
    fc.constantFrom(1, 2),
    fc.integer({ min: 1, max: 1_000_000 }),
    ...(whole ? [] : [fc.constantFrom(0.5, 0.001)]),
  );
  // Beyond 2^53, adjacent numbers are more than 1 apart.
  const next = (step: number) => edge + side * (Math.abs(edge) >= 2 ** 53 ? Math.abs(edge) : step);
  const far = steps.map(next);
  return excluded ? fc.oneof(fc.constant(limit), far) : far;
}

/** Generates numbers within the limits. `invalid-values.ts` filters out the multiples, because they are valid. */
function withinLimits({ conjuncts }: Alternative, whole: boolean): fc.Arbitrary<unknown> {
  const low = Math.max(
    -1_000,
    ...conjuncts.map((schema) => schema.minimum ?? schema.exclusiveMinimum ?? -1_000),
  );
  const high = Math.min(
    low + 2_000,
    ...conjuncts.map((schema) => schema.maximum ?? schema.exclusiveMaximum ?? low + 2_000),
  );
  const [from, to] = [Math.ceil(low), Math.max(Math.ceil(low), Math.floor(high))];
  const integers = fc.integer({ min: from, max: to });
  if (whole) return integers;
  return fc.oneof(
    integers,
    fc.tuple(integers, fc.constantFrom(0.5, 0.25, 0.001, 0.0003)).map(([n, part]) => n + part),
  );
}
