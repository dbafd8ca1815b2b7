import fc from 'fast-check';
import type { Alternative } from './alternatives.ts';
import { CannotMake, sieve } from './arbitrary.ts';
import { formats } from './formats.ts';

/** How long strings are, in code points, as JSON Schema counts them. */
export const lengthOf = (text: string): number => [...text].length;

export interface Lengths {
  min: number;
  max: number;
}

/** The lengths that all pieces allow, in code points. */
export function lengthsOf({ pieces }: Alternative): Lengths {
  return {
    min: Math.max(0, ...pieces.map((schema) => schema.minLength ?? 0)),
    max: Math.min(
      Number.POSITIVE_INFINITY,
      ...pieces.map((schema) => schema.maxLength ?? Number.POSITIVE_INFINITY),
    ),
  };
}

/** The patterns that a text has to match, all of them. */
export const patternsOf = ({ pieces }: Alternative): RegExp[] =>
  pieces.flatMap((schema) => (schema.pattern === undefined ? [] : [new RegExp(schema.pattern, 'u')]));

const formatsOf = ({ pieces }: Alternative): string[] =>
  pieces.flatMap((schema) =>
    schema.format !== undefined && Object.hasOwn(formats, schema.format) ? [schema.format] : [],
  );

/** Longer ones are made where a limit is tried. */
const usualLength = 24;

/**
 * Characters as JSON may carry them between programs (RFC 7493): no NUL, no half of a pair; ASCII, letters of
 * other alphabets, and what is drawn as one and counted as two.
 */
const characters = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }), weight: 6 },
  {
    arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((c) => c !== '\0'),
    weight: 1,
  },
  { arbitrary: fc.constantFrom('é', 'ß', '中', '😀', '%', '"', '\\', ',', ' '), weight: 1 },
);

/** Any text of some length. */
export function texts({ min, max }: Lengths): fc.Arbitrary<string> {
  const usual = Math.min(max, Math.max(min, usualLength));
  if (min <= 64)
    return fc.array(characters, { minLength: min, maxLength: usual, size: 'max' }).map((all) => all.join(''));
  // Long texts of many different characters are slow to make and to shrink.
  return fc.array(characters, { minLength: 1, maxLength: 8 }).map((all) => stretch(all.join(''), min));
}

/** A text brought to a length by being repeated. */
export function stretch(text: string, length: number): string {
  const all = [...(text || 'x')];
  const repeated = all.join('').repeat(Math.ceil(length / all.length));
  if (repeated.length === all.length * Math.ceil(length / all.length)) return repeated.slice(0, length);
  return [...repeated].slice(0, length).join('');
}

/**
 * Strings that fit; undefined where there are none.
 * @throws CannotMake where a pattern is written in a way that no text can be made for
 */
export function strings(alternative: Alternative): fc.Arbitrary<unknown> | undefined {
  const lengths = lengthsOf(alternative);
  if (lengths.min > lengths.max) return undefined;
  const [pattern, ...morePatterns] = patternsOf(alternative);
  const [format] = formatsOf(alternative);
  const fits = (text: string) =>
    lengthOf(text) >= lengths.min &&
    lengthOf(text) <= lengths.max &&
    [pattern, ...morePatterns].every((each) => each === undefined || each.test(text));
  const what = JSON.stringify(alternative.pieces.map((schema) => schema));
  const made = format === undefined ? undefined : formats[format]?.fits;
  if (made !== undefined) return sieve(made.map(String), fits, what);
  if (pattern !== undefined) return sieve(matching(pattern, lengths), fits, what);
  return texts(lengths);
}

const known = new Map<string, fc.Arbitrary<string>>();

/** Texts that match a pattern. fast-check takes milliseconds to read one, so each is read once. */
export function textsFor(pattern: string): fc.Arbitrary<string> {
  const texts = known.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  known.set(pattern, texts);
  return texts;
}

/**
 * Texts for a pattern, some of them made as long as is wanted by more of what they are made of, some of any characters
 * where the pattern leaves room for them. That they fit is left to the sieve.
 */
function matching(pattern: RegExp, { min, max }: Lengths): fc.Arbitrary<string> {
  try {
    const short = textsFor(pattern.source);
    const most = Math.min(max, min + usualLength);
    const stretched = fc
      .tuple(short, fc.integer({ min, max: most }), fc.nat({ max: 1_000 }))
      .map(([text, length, any]) =>
        lengthOf(text) >= min && lengthOf(text) <= max ? text : lengthened(text, length, any),
      );
    const free = texts({ min, max: most });
    const room = fc.sample(free, { numRuns: 20, seed: 1 }).filter((text) => pattern.test(text)).length;
    const made = fc.oneof(
      { arbitrary: stretched, weight: 4 },
      { arbitrary: free, weight: room > 10 ? 2 : 0 },
    );
    return made.map((text) => text.replaceAll('\0', ' '));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotMake(`No text can be made for the pattern ${pattern.source}: ${reason}`);
  }
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
