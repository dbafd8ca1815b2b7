import fc from 'fast-check';
import type { Alternative } from './alternatives.ts';
import { filterOrThrow } from './arbitrary.ts';
import { formatGenerators } from './format-generators.ts';
import { codePointLength, stringLengths, stringPatterns, strings, textsOfLength } from './strings.ts';
import type { ViolationGenerator } from './violation.ts';

/** Texts that violate a pattern or format, one generator per keyword. Boundary values violate lengths. */
export function stringViolations(alternative: Alternative): ViolationGenerator[] {
  const breaker = (keyword: string, values: fc.Arbitrary<unknown>): ViolationGenerator => ({
    keyword,
    inside: '',
    values,
  });
  return alternative.conjuncts.flatMap((schema) => {
    const { pattern, format } = schema;
    const made =
      format !== undefined && Object.hasOwn(formatGenerators, format) && !/^int/.test(format)
        ? formatGenerators[format]
        : undefined;
    return [
      ...(pattern === undefined ? [] : [breaker('pattern', unlike(alternative, pattern))]),
      ...(made ? [breaker('format', made.invalid)] : []),
    ];
  });
}

const asText = (alternative: Alternative): fc.Arbitrary<string> =>
  (strings(alternative) ?? textsOfLength({ min: 0, max: 8 })).map(String);

/**
 * Generates texts that rarely match a pattern: valid texts with a character replaced or removed, blank texts, and
 * arbitrary texts. They satisfy the length limits and all other patterns.
 */
function unlike(alternative: Alternative, pattern: string): fc.Arbitrary<unknown> {
  const { min, max } = stringLengths(alternative);
  const others = stringPatterns(alternative).filter(
    (each) => each.source !== new RegExp(pattern, 'u').source,
  );
  const spoilt = fc
    .tuple(asText(alternative), fc.nat({ max: 1_000 }), fc.constantFrom('', ' ', 'é', '\t', '_', '%', 'A'))
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
