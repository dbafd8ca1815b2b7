import type { SchemaObject } from '../../testing/schema-values/schema.ts';

const words = ['garden', 'river', 'harbor', 'meadow', 'summit', 'lantern', 'orchard', 'bridge', 'island'];
const people = ['Ada', 'Grace', 'Alan', 'Emma', 'Noor', 'Kofi', 'Mei', 'Luis', 'Sofia'];
const sentences = ['The morning train was on time.', 'Please ring the bell.', 'The weather is fine today.'];
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

type Make = (pick: number) => string;

const oneOf =
  (values: readonly string[]): Make =>
  (pick) =>
    values[pick % values.length] ?? '';
const word = oneOf(words);
const code: Make = (pick) => `${(pick % 60_466_176).toString(36).padStart(5, '0')}`;
const two = (count: number) => String(count).padStart(2, '0');
const date: Make = (pick) => `2025-${two(1 + (pick % 12))}-${two(1 + (pick % 28))}`;

const byFormat: Readonly<Record<string, Make>> = {
  email: (pick) => `${word(pick)}@example.com`,
  'idn-email': (pick) => `${word(pick)}@example.com`,
  uri: (pick) => `https://example.com/${word(pick)}`,
  url: (pick) => `https://example.com/${word(pick)}`,
  hostname: (pick) => `${word(pick)}.example.com`,
  date,
  'date-time': (pick) => `${date(pick)}T${two(pick % 24)}:${two(pick % 60)}:00.000Z`,
};

/** What texts are about, by the name of their property. The first match counts. */
const byName: readonly [name: RegExp, make: Make][] = [
  [/e_?mail$/i, (pick) => `${word(pick)}@example.com`],
  [/(url|uri|href|link|website)$/i, (pick) => `https://example.com/${word(pick)}`],
  [/phone|mobile/i, (pick) => `+1 555 01${two(pick % 100)}`],
  [/^(first|last|given|family|user|display|full)_?name$|author|owner/i, oneOf(people)],
  [/(name|title|label)$/i, (pick) => capital(word(pick))],
  [/country/i, oneOf(['NO', 'JP', 'BR', 'KE'])],
  [/currency/i, oneOf(['EUR', 'USD', 'JPY'])],
  [/description|message|text|notes?$|comment|detail|summary|reason|body$/i, oneOf(sentences)],
  [/(id|key|token|cursor|code|hash|tag|version)$/i, code],
];

/** Keywords whose values this does not understand: the generated value stays. */
const others = [
  'enum',
  'const',
  'pattern',
  'not',
  'if',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
];

/**
 * Returns a value that says something to readers, in place of a random text or number. It usually conforms to the schemas; the
 * caller validates it.
 * @param schemas all that apply to the value
 * @param name of the property, or of the list that has the value
 * @param pick an integer from 0, which is the same for the same value
 */
export function plausibleScalar(
  schemas: readonly SchemaObject[],
  value: string | number,
  name: string,
  pick: number,
): string | number {
  if (schemas.some((schema) => others.some((keyword) => Object.hasOwn(schema, keyword)))) return value;
  return typeof value === 'string' ? textFor(schemas, value, name, pick) : numberFor(schemas, name, pick);
}

function textFor(schemas: readonly SchemaObject[], value: string, name: string, pick: number): string {
  const format = schemas.find((schema) => schema.format !== undefined)?.format;
  const make = format === undefined ? byName.find(([pattern]) => pattern.test(name))?.[1] : byFormat[format];
  if (format !== undefined && make === undefined) return value;
  const least = Math.max(0, ...schemas.map(({ minLength = 0 }) => minLength));
  const most = Math.min(...schemas.map(({ maxLength = Number.POSITIVE_INFINITY }) => maxLength));
  const text = (make ?? word)(pick);
  if (format !== undefined) return text;
  const long = least > 1_000 ? value : text.padEnd(least, ` ${text}`);
  return long.slice(0, most).trimEnd().padEnd(Math.min(least, 1_000), '.');
}

function numberFor(schemas: readonly SchemaObject[], name: string, pick: number): number {
  const isWhole = schemas.some(({ type }) => [type].flat().includes('integer'));
  const step = Math.max(...schemas.map(({ multipleOf = 0 }) => multipleOf)) || (isWhole ? 1 : 0.5);
  const least = Math.max(
    ...schemas.flatMap(({ minimum, exclusiveMinimum }) => [
      minimum ?? Number.NEGATIVE_INFINITY,
      exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : exclusiveMinimum + step,
    ]),
  );
  const most = Math.min(
    ...schemas.flatMap(({ maximum, exclusiveMaximum }) => [
      maximum ?? Number.POSITIVE_INFINITY,
      exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : exclusiveMaximum - step,
    ]),
  );
  const first = Number.isFinite(least) ? Math.ceil(least / step) : Math.min(1, Math.floor(most / step));
  const steps = Math.min(/id$/i.test(name) ? 9_000 : 100, Math.floor(most / step) - first + 1);
  // Without the error of the multiplication: 0.1 × 3.
  return Number(((first + (steps > 1 ? pick % steps : 0)) * step).toPrecision(12));
}
