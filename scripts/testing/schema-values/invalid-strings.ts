import fc from 'fast-check';
import type { Alternative } from './alternatives.ts';
import { sieve } from './arbitrary.ts';
import { formats } from './formats.ts';
import { lengthened, lengthOf, lengthsOf, patternsOf, strings, texts } from './strings.ts';
import type { Breaker } from './violation.ts';

// Larger ones would take all memory; that they are not reached is told with the limits.
const mostLength = 200_000;

/** Texts that are too long or too short, or look different: for each keyword that says so. */
export function breakersOfStrings(alternative: Alternative): Breaker[] {
  const breaker = (keyword: string, values: fc.Arbitrary<unknown>): Breaker => ({
    keyword,
    inside: '',
    values,
  });
  return alternative.pieces.flatMap((schema) => {
    const { minLength, maxLength, pattern, format } = schema;
    const made =
      format !== undefined && Object.hasOwn(formats, format) && !/^int/.test(format)
        ? formats[format]
        : undefined;
    return [
      ...(minLength ? [breaker('minLength', shorter(alternative, minLength))] : []),
      ...(maxLength === undefined || maxLength > mostLength
        ? []
        : [breaker('maxLength', longer(alternative, maxLength))]),
      ...(pattern === undefined ? [] : [breaker('pattern', unlike(alternative, pattern))]),
      ...(made ? [breaker('format', made.broken)] : []),
    ];
  });
}

const asText = (alternative: Alternative): fc.Arbitrary<string> =>
  (strings(alternative) ?? texts({ min: 0, max: 8 })).map(String);

function shorter(alternative: Alternative, least: number): fc.Arbitrary<unknown> {
  return fc
    .tuple(asText(alternative), fc.nat({ max: least - 1 }))
    .map(([text, length]) => [...text].slice(0, length).join(''));
}

/** Sound texts made too long: by one more character, or a few. */
function longer(alternative: Alternative, most: number): fc.Arbitrary<unknown> {
  return fc
    .tuple(asText(alternative), fc.integer({ min: 1, max: 3 }), fc.nat({ max: 1_000 }))
    .map(([text, more, any]) => lengthened(text, most + more, any));
}

/** Texts that do not match: any, and sound ones with a character more, less or changed. */
function unlike(alternative: Alternative, pattern: string): fc.Arbitrary<unknown> {
  const { min, max } = lengthsOf(alternative);
  const others = patternsOf(alternative).filter((each) => each.source !== new RegExp(pattern, 'u').source);
  const spoilt = fc
    .tuple(asText(alternative), fc.nat({ max: 1_000 }), fc.constantFrom('', ' ', 'é', '\t', '_', '%', 'A'))
    .map(([text, any, instead]) => {
      const all = [...text];
      return all.length === 0 ? instead : all.with(any % all.length, instead).join('');
    });
  const blank = fc.constantFrom(' ', '\t', '   ');
  return sieve(
    fc.oneof(spoilt, blank, texts({ min, max: Math.min(max, min + 12) })),
    (text) => lengthOf(text) >= min && lengthOf(text) <= max && others.every((each) => each.test(text)),
    `texts unlike ${pattern}`,
  );
}
