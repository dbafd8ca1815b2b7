import fc from 'fast-check';
import type { Alternative } from './alternatives.ts';
import { allowedTypes } from './alternatives.ts';
import { formatGenerators } from './format-generators.ts';
import type { ViolationGenerator } from './violation.ts';

/** Numbers that violate `multipleOf` or a format, one generator per keyword. Boundary values violate limits. */
export function numberViolations(alternative: Alternative): ViolationGenerator[] {
  const whole = !allowedTypes(alternative).includes('number');
  const breaker = (keyword: string, values: fc.Arbitrary<unknown>): ViolationGenerator => ({
    keyword,
    inside: '',
    values,
  });
  return alternative.conjuncts.flatMap((schema) => {
    const { multipleOf, format } = schema;
    const made =
      format !== undefined && Object.hasOwn(formatGenerators, format) ? formatGenerators[format] : undefined;
    return [
      ...(multipleOf === undefined ? [] : [breaker('multipleOf', withinLimits(alternative, whole))]),
      ...(made && /^int/.test(format ?? '') ? [breaker('format', made.invalid)] : []),
    ];
  });
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
