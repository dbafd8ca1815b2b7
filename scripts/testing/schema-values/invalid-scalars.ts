import fc from 'fast-check';
import { type Alternative, allowedTypes } from './alternatives.ts';
import { filterOrThrow } from './arbitrary.ts';
import { formatGenerators } from './format-generators.ts';
import { codePointLength, stringLengths, stringPatterns, strings, textsOfLength } from './strings.ts';
import type { ViolationGenerator } from './violation.ts';

/**
 * Returns generators of numbers and texts that violate `multipleOf`, a pattern or a format, one for each keyword. Boundary
 * values violate limits.
 */
export function scalarViolations(alternative: Alternative): ViolationGenerator[] {
  const types = allowedTypes(alternative);
  const isNumber = types.includes('integer') || types.includes('number');
  const isText = types.includes('string');
  return alternative.conjuncts.flatMap(({ multipleOf, pattern, format = '' }) => {
    const isFormatted = /^int/.test(format) ? isNumber : isText;
    const made = Object.hasOwn(formatGenerators, format) ? formatGenerators[format] : undefined;
    return [
      ...(isNumber && multipleOf !== undefined
        ? [{ keyword: 'multipleOf', inside: '', values: withinLimits(alternative) }]
        : []),
      ...(isText && pattern !== undefined
        ? [{ keyword: 'pattern', inside: '', values: unlike(alternative, pattern) }]
        : []),
      ...(isFormatted && made ? [{ keyword: 'format', inside: '', values: made.invalid }] : []),
    ];
  });
}

/** Generates numbers within the limits. `invalid-values.ts` filters out the multiples, because they are valid. */
function withinLimits(alternative: Alternative): fc.Arbitrary<unknown> {
  const { conjuncts } = alternative;
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
  if (!allowedTypes(alternative).includes('number')) return integers;
  return fc.oneof(
    integers,
    fc.tuple(integers, fc.constantFrom(0.5, 0.25, 0.001, 0.0003)).map(([n, part]) => n + part),
  );
}

/**
 * Generates texts that rarely match a pattern: valid texts with a character replaced or removed, blank texts, and
 * arbitrary texts. They satisfy the length limits and all other patterns.
 */
function unlike(alternative: Alternative, pattern: string): fc.Arbitrary<unknown> {
  const { min, max } = stringLengths(alternative);
  const others = stringPatterns(alternative).filter(
    (each) => each.source !== new RegExp(pattern, 'u').source,
  );
  const valid = (strings(alternative) ?? textsOfLength({ min: 0, max: 8 })).map(String);
  const spoilt = fc
    .tuple(valid, fc.nat({ max: 1_000 }), fc.constantFrom('', ' ', 'é', '\t', '_', '%', 'A'))
    .map(([text, any, instead]) => {
      const all = [...text];
      return all.length === 0 ? instead : all.with(any % all.length, instead).join('');
    });
  const blank = fc.constantFrom(' ', '\t', '   ');
  return filterOrThrow(
    fc.oneof(spoilt, blank, textsOfLength({ min, max: Math.min(max, min + 12) })),
    (text) =>
      codePointLength(text) >= min && codePointLength(text) <= max && others.every((each) => each.test(text)),
    `texts unlike ${pattern}`,
  );
}
