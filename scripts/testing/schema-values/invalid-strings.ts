import fc from 'fast-check';
import type { Alternative } from './alternatives.ts';
import { filterOrThrow } from './arbitrary.ts';
import { formatGenerators } from './format-generators.ts';
import {
  codePointLength,
  padText,
  stringLengths,
  stringPatterns,
  strings,
  textsOfLength,
} from './strings.ts';
import type { ViolationGenerator } from './violation.ts';

// Maximum size, because larger values would use too much memory. The report names limits that are not reached.
const mostLength = 200_000;

/** Texts that violate a length, pattern or format, one generator per keyword. */
export function stringViolations(alternative: Alternative): ViolationGenerator[] {
  const breaker = (keyword: string, values: fc.Arbitrary<unknown>): ViolationGenerator => ({
    keyword,
    inside: '',
    values,
  });
  return alternative.conjuncts.flatMap((schema) => {
    const { minLength, maxLength, pattern, format } = schema;
    const made =
      format !== undefined && Object.hasOwn(formatGenerators, format) && !/^int/.test(format)
        ? formatGenerators[format]
        : undefined;
    return [
      ...(minLength ? [breaker('minLength', shorter(alternative, minLength))] : []),
      ...(maxLength === undefined || maxLength > mostLength
        ? []
        : [breaker('maxLength', longer(alternative, maxLength))]),
      ...(pattern === undefined ? [] : [breaker('pattern', unlike(alternative, pattern))]),
      ...(made ? [breaker('format', made.invalid)] : []),
    ];
  });
}

const asText = (alternative: Alternative): fc.Arbitrary<string> =>
  (strings(alternative) ?? textsOfLength({ min: 0, max: 8 })).map(String);

function shorter(alternative: Alternative, least: number): fc.Arbitrary<unknown> {
  return fc
    .tuple(asText(alternative), fc.nat({ max: least - 1 }))
    .map(([text, length]) => [...text].slice(0, length).join(''));
}

/** Generates strings that exceed the maximum length by one to three characters. */
function longer(alternative: Alternative, most: number): fc.Arbitrary<unknown> {
  return fc
    .tuple(asText(alternative), fc.integer({ min: 1, max: 3 }), fc.nat({ max: 1_000 }))
    .map(([text, more, any]) => padText(text, most + more, any));
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
