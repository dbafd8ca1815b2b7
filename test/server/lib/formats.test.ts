import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formats } from '../../../server/lib/formats.ts';

// Leap seconds, mailboxes with quotes or IP addresses, and large integers are tested by the public reports.
const ajv = new Ajv2020({ formats });
const validators = Object.fromEntries(
  Object.entries(formats).map(([format, check]) => [
    format,
    ajv.compile({ type: typeof check === 'object' ? 'number' : 'string', format }),
  ]),
);
const is = (format: keyof typeof formats) => validators[format] ?? (() => undefined);

test('accepts the output of Date.toISOString() as a date-time, and its date part as a date', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        expect(is('date-time')(date.toISOString())).toBe(true);
        expect(is('date')(date.toISOString().slice(0, 10))).toBe(true);
      },
    ),
  );
});

test('accepts a date if and only if it exists in the calendar', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (y, m, d) => {
        const text = `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
        const timestamp = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(timestamp.getTime()) && timestamp.toISOString().startsWith(text);
        expect(is('date')(text), text).toBe(exists);
        expect(is('date-time')(`${text}T12:00:00.5+23:59`), text).toBe(exists && text !== '0000-01-01');
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  '0000-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '2026-01-01',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01 00:00:00Z',
  '+02026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00Z',
  '2023-02-29T12:00:00.000Z',
  '2024-02-30T12:00:00.000Z',
  '2023-04-31T12:00:00.000Z',
])('%s is not a date-time', (text) => {
  expect(is('date-time')(text)).toBe(false);
});

test('accepts a generated e-mail address if it has at most 254 characters', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      expect(is('email')(address)).toBe(address.length <= 254);
    }),
  );
});

test.each([
  '',
  'a',
  '@b.c',
  'a@',
  'a@b..c',
  'a..b@c.d',
  '.a@c.d',
  'a.@c.d',
  'a b@c.d',
  'a@-b.c',
  'a@b-.c',
  `${'a'.repeat(65)}@b.c`,
  `a@${'b'.repeat(64)}.c`,
  'a@b.c\n',
  '"a b"c@d.e',
  'a@[127.0.0.300]',
])('"%s" is not an e-mail address', (text) => {
  expect(is('email')(text)).toBe(false);
});

test.each(['https://example.com/a.png?x=1#y', 'urn:isbn:9780141439587', 'http://[::1]:80/'])(
  '%s is a URI',
  (text) => {
    expect(is('uri')(text)).toBe(true);
  },
);

test.each([
  '',
  '/a.png',
  'a.png',
  'https://',
  'https://a b',
  'https://ex\u00e4mple.com',
  'https://x/%zz',
  '//x',
])('"%s" is not a URI', (text) => {
  expect(is('uri')(text)).toBe(false);
});
