import fc from 'fast-check';
import { knownFormats } from '../../lib/known-formats.ts';

/** Generators of valid and invalid values of a format. All strict validators agree on which of the values are valid. */
interface Format {
  fits: fc.Arbitrary<string> | fc.Arbitrary<number>;
  invalid: fc.Arbitrary<string> | fc.Arbitrary<number>;
}

const digits = (count: number) => (n: number) => String(n).padStart(count, '0');
const timestamp = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
const date = timestamp.map((day) => day.toISOString().slice(0, 10));
const timeOfDay = timestamp.map((day) => day.toISOString().slice(11, 19));
const fraction = fc.option(
  fc.integer({ min: 0, max: 999 }).map((ms) => `.${digits(3)(ms)}`),
  { nil: '' },
);
const zone = fc.oneof(
  { arbitrary: fc.constant('Z'), weight: 3 },
  fc
    .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 12 }))
    .map(([sign, hour]) => `${sign}${digits(2)(hour)}:30`),
);
const dateTime = fc.tuple(date, timeOfDay, fraction, zone).map(([day, ...time]) => `${day}T${time.join('')}`);
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
const hostname = fc.tuple(word, word).map(([host, domain]) => `${host}.${domain}.example`);
const uri = fc
  .tuple(fc.constantFrom('https', 'https', 'https', 'http'), hostname, word)
  .map(([scheme, host, path]) => `${scheme}://${host}/${path}`);

// Dates that do not exist, and texts in other formats.
const noDate = fc.constantFrom(
  '2026-02-30',
  '2026-13-01',
  '2026-1-1',
  '01/02/2026',
  '2026-00-10',
  'soon',
  '',
);
const text = (fits: fc.Arbitrary<string>, ...invalid: string[]): Format => ({
  fits,
  invalid: fc.constantFrom(...invalid),
});
const between = (low: number, high: number): Format => ({
  fits: fc.integer({
    min: Math.max(low, Number.MIN_SAFE_INTEGER),
    max: Math.min(high, Number.MAX_SAFE_INTEGER),
  }),
  invalid: fc.constantFrom(high + (high > 2 ** 53 ? high : 1), low - (high > 2 ** 53 ? high : 1)),
});

const email = text(
  fc.tuple(word, hostname).map(([name, domain]) => `${name}@${domain}`),
  'nobody',
  '@example.com',
  'a b@example.com',
  'a@',
  '',
);
const host = text(hostname, '-a.example', 'a..example', 'a b', `${'a'.repeat(64)}.example`, '');
const absolute = text(uri, 'no scheme', '//example.com/a', 'https://exa mple.com/', '%', '');
const reference = text(
  fc.oneof(
    uri,
    word.map((path) => `/${path}`),
  ),
  'a b',
  '%zz',
  '\\\\a',
);

/** Generators of values, by the name of the format. */
export const formatGenerators: Readonly<Record<string, Format>> = {
  date: { fits: date, invalid: noDate },
  'date-time': {
    fits: dateTime,
    invalid: fc.oneof(
      noDate.map((day) => `${day}T10:00:00Z`),
      date,
      fc.constantFrom(
        '2026-01-01T24:00:01Z',
        '2026-01-01T10:60:00Z',
        '2026-01-01T10:00:00',
        '2026-01-01 10:00Z',
      ),
    ),
  },
  time: text(
    fc.tuple(timeOfDay, fraction, zone).map((parts) => parts.join('')),
    '25:00:00Z',
    '10:61:00Z',
    'noon',
    '',
  ),
  duration: text(
    fc.integer({ min: 0, max: 99 }).map((hours) => `P1DT${hours}H`),
    'P',
    '1D',
    'PT',
    'a day',
    '',
  ),
  email,
  'idn-email': email,
  hostname: host,
  'idn-hostname': host,
  ipv4: text(fc.ipV4(), '256.1.1.1', '1.2.3', '1.2.3.4.5', '::1', ''),
  ipv6: text(fc.ipV6(), ':::1', '1:2:3', 'g::1', '127.0.0.1', ''),
  uri: absolute,
  iri: absolute,
  url: text(uri, 'no scheme', '//example.com/a', 'https://exa mple.com/', ''),
  'uri-reference': reference,
  'iri-reference': reference,
  uuid: text(
    fc.uuid(),
    '0',
    '123e4567-e89b-12d3-a456-42661417400',
    '123e4567-e89b-12d3-a456-42661417400g',
    '',
  ),
  'json-pointer': text(
    word.map((name) => `/${name}`),
    'a',
    '/~2',
    '#/a',
  ),
  regex: text(word, '(', '[', '*'),
  byte: text(fc.base64String(), '=', 'a', 'ab=c', 'a b=', 'YQ==\n'),
  int32: between(-(2 ** 31), 2 ** 31 - 1),
  int64: between(-(2 ** 63), 2 ** 63),
};

/** Whether a format allows every value. */
export const isHint = (name: unknown): boolean => knownFormats[String(name)] === true;

/** Whether a format is supported: it has generators, or it allows every value. */
export const isKnownFormat = (name: string): boolean => Object.hasOwn(formatGenerators, name) || isHint(name);
