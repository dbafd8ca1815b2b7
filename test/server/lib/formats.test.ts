import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formats } from '../../../server/lib/formats.ts';

// The public reports and own-cases.yaml have single texts.
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

test('accepts a generated e-mail address if it has at most 254 characters', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      expect(is('email')(address)).toBe(address.length <= 254);
    }),
  );
});
