import fc from 'fast-check';
import { Run } from '../../../server/validation/explain/run.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import { oncePer } from '../../lib/once.ts';
import { type Alternative, type Range, rangeOf } from './alternatives.ts';
import { filterOrThrow, UnsatisfiableSchema } from './arbitrary.ts';
import { formatGenerators } from './format-generators.ts';

/** Returns the length in code points, as JSON Schema counts. */
const codePointLength = (text: string): number => [...text].length;

/** Whether a text has an allowed length and matches all patterns. */
export function isTextWithin(alternative: Alternative): (text: string) => boolean {
  const { min, max } = rangeOf(alternative, 'minLength', 'maxLength');
  const patterns = patternsOf(alternative);
  return (text) =>
    codePointLength(text) >= min &&
    codePointLength(text) <= max &&
    patterns.every((pattern) => pattern.test(text));
}

const patternsOf = (alternative: Alternative): RegExp[] =>
  alternative.flatMap((schema) => (schema.pattern === undefined ? [] : [new RegExp(schema.pattern, 'u')]));

const formatsOf = (alternative: Alternative): string[] =>
  alternative.flatMap((schema) =>
    schema.format !== undefined && Object.hasOwn(formatGenerators, schema.format) ? [schema.format] : [],
  );

/** Default maximum length. Boundary values and schemas with a minimum length can require longer strings. */
const defaultLength = 24;

/**
 * Generates characters that JSON can carry (RFC 7493), mostly ASCII, without NUL and lone surrogates.
 *
 * The unit `binary` of fast-check is not used, because it first lists all code points, which takes 1.5 s.
 */
const characters = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }), weight: 6 },
  {
    arbitrary: fc
      .oneof(fc.integer({ min: 1, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
      .map((codePoint) => String.fromCodePoint(codePoint)),
    weight: 1,
  },
  { arbitrary: fc.constantFrom('é', 'ß', '中', '😀', '%', '"', '\\', ',', ' '), weight: 1 },
);

/** Generates arbitrary texts whose length is in a given range. */
export function textsOfLength({ min, max }: Range): fc.Arbitrary<string> {
  const defaultValue = Math.min(max, Math.max(min, defaultLength));
  if (min <= 64)
    return fc
      .array(characters, { minLength: min, maxLength: defaultValue, size: 'max' })
      .map((all) => all.join(''));
  // Long strings of many different characters are slow to generate and to shrink.
  return fc.array(characters, { minLength: 1, maxLength: 8 }).map((all) => repeatToLength(all.join(''), min));
}

/** Repeats a text and cuts the result to a length in code points. */
function repeatToLength(text: string, length: number): string {
  const all = [...(text || 'x')];
  const repeated = all.join('').repeat(Math.ceil(length / all.length));
  if (repeated.length === all.length * Math.ceil(length / all.length)) return repeated.slice(0, length);
  return [...repeated].slice(0, length).join('');
}

/**
 * Generates strings; undefined if no value is valid.
 * @throws UnsatisfiableSchema if no string can be generated for a pattern
 */
export function strings(alternative: Alternative): fc.Arbitrary<unknown> | undefined {
  const lengths = rangeOf(alternative, 'minLength', 'maxLength');
  if (lengths.min > lengths.max) return undefined;
  const [pattern] = patternsOf(alternative);
  const [format] = formatsOf(alternative);
  const fits = isTextWithin(alternative);
  const what = JSON.stringify(alternative);
  const made = format === undefined ? undefined : formatGenerators[format]?.fits;
  if (made !== undefined && pattern === undefined) {
    const texts = made.map(String);
    const isUsual = fc.sample(texts, { numRuns: 50, seed: 1 }).some(fits);
    if (isUsual) return filterOrThrow(texts, fits, what);
    const formats = new Run({}, knownFormats, 1);
    const isFormatted = (text: string) => fits(text) && formats.hasFormat(String(format), text);
    return filterOrThrow(stretched(texts, lengths), isFormatted, what);
  }
  if (made !== undefined && pattern !== undefined)
    return filterOrThrow(ofFormat(made.map(String), matching(pattern, lengths)), fits, what);
  if (pattern !== undefined) return filterOrThrow(matching(pattern, lengths), fits, what);
  return textsOfLength(lengths);
}

/** Generates texts of a format that may match a pattern. The caller filters them. */
const ofFormat = (made: fc.Arbitrary<string>, matching: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    made,
    matching,
    // A URI with an end that the pattern requires.
    fc.tuple(made, matching).map(([start, end]) => start + encodeURI(end.toWellFormed())),
  );

const piece = String.raw`\\.|\[(?:\\.|[^\]\\])*\]|[^()[\\]`;
/** An assertion such as `(?=.*[0-9])`, with at most one level of groups inside, or `\b`. It skips other escapes. */
const assertion = new RegExp(String.raw`\(\?<?[=!](?:${piece}|\((?:${piece})*\))*\)|\\b|(\\.)`, 'gis');

/**
 * Generates strings that match a pattern. Parsing a pattern takes milliseconds, so the result is cached. fast-check
 * does not support assertions: they filter what the rest of the pattern generates.
 * @throws UnsatisfiableSchema if no string can be generated, for example because of a backreference
 */
export const textsMatching = oncePer((pattern: string): fc.Arbitrary<string> => {
  const simple = pattern.replaceAll(assertion, '$1').replaceAll('(?:)', '');
  try {
    const whole = new RegExp(pattern, 'u');
    // fast-check rejects empty patterns.
    const made = fc.stringMatching(new RegExp(simple || '^', 'u'));
    return simple === pattern ? made : filterOrThrow(made, (text) => whole.test(text), pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnsatisfiableSchema(`No text can be generated for the pattern ${pattern}: ${reason}`);
  }
});

/**
 * Generates strings for a pattern, some of them padded to an allowed length. A padded string may not match, so the
 * caller filters the strings.
 */
function matching(pattern: RegExp, { min, max }: Range): fc.Arbitrary<string> {
  const short = textsMatching(pattern.source);
  const free = textsOfLength({ min, max: Math.min(max, min + defaultLength) });
  const room = fc.sample(free, { numRuns: 20, seed: 1 }).filter((text) => pattern.test(text)).length;
  const made = fc.oneof(
    { arbitrary: stretched(short, { min, max }), weight: 4 },
    { arbitrary: free, weight: room > 10 ? 2 : 0 },
  );
  return made.map((text) => text.toWellFormed().replaceAll('\0', ' '));
}

/** Pads or cuts texts to an allowed length. Their format or pattern may be lost, so the caller filters them. */
const stretched = (texts: fc.Arbitrary<string>, { min, max }: Range): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.integer({ min, max: Math.min(max, min + defaultLength) }), fc.nat({ max: 1_000 }))
    .map(([text, length, any]) =>
      codePointLength(text) >= min && codePointLength(text) <= max ? text : padText(text, length, any),
    );

/**
 * Pads or cuts a text to a length.
 * @param any selects the position of the padding and its characters
 */
export function padText(text: string, length: number, any: number): string {
  const all = [...text];
  const missing = length - all.length;
  if (missing <= 0) return all.slice(0, length).join('');
  if (all.length === 0) return repeatToLength('x', length);
  const at = any % (all.length + 1);
  // Labels of host names have at most 63 characters, so one kind of padding contains dots.
  const around = [
    all[Math.max(0, at - 1)] ?? 'x',
    all[Math.min(at, all.length - 1)] ?? 'x',
    'a',
    `${'a'.repeat(50)}.`,
    ' "",',
  ];
  const filling = around[any % around.length] ?? 'x';
  return [...all.slice(0, at), repeatToLength(filling, missing), ...all.slice(at)].join('');
}
