import fc from 'fast-check';
import type { Alternative } from './alternatives.ts';
import type { Breaker } from './breaker.ts';
import { formats } from './formats.ts';
import { lengthOf, lengthsOf, patternsOf, stretch, strings, texts } from './strings.ts';

/** Texts that are too long or too short, or look different: for each keyword that says so. */
export function breakersOfStrings(alternative: Alternative): Breaker[] {
  const breaker = (keyword: string, values: fc.Arbitrary<unknown>): Breaker => ({
    keyword,
    inside: '',
    values,
  });
  return alternative.pieces.flatMap(({ schema }) => {
    const { minLength, maxLength, pattern, format } = schema;
    const made =
      format !== undefined && Object.hasOwn(formats, format) && !/^int/.test(format)
        ? formats[format]
        : undefined;
    return [
      ...(minLength ? [breaker('minLength', shorter(alternative, minLength))] : []),
      ...(maxLength === undefined ? [] : [breaker('maxLength', longer(alternative, maxLength))]),
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

/** A text brought to a length by more of what it is made of: at its end, or somewhere in it. */
export function lengthened(text: string, length: number, any: number): string {
  const all = [...text];
  const missing = length - all.length;
  if (missing <= 0) return all.slice(0, length).join('');
  if (all.length === 0) return stretch('x', length);
  const at = any % (all.length + 1);
  // A label of a host has 63 characters at the most, so that its dots have to come again, too.
  const around = [
    all[Math.max(0, at - 1)] ?? 'x',
    all[Math.min(at, all.length - 1)] ?? 'x',
    'a',
    `${'a'.repeat(50)}.`,
    ' "",',
  ];
  const filling = around[any % around.length] ?? 'x';
  return [...all.slice(0, at), stretch(filling, missing), ...all.slice(at)].join('');
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
  return fc
    .oneof(spoilt, blank, texts({ min, max: Math.min(max, min + 12) }))
    .filter(
      (text) => lengthOf(text) >= min && lengthOf(text) <= max && others.every((each) => each.test(text)),
    );
}
