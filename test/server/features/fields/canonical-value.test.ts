import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalValue, fieldTypeRules } from '../../../../server/features/fields/canonical-value.ts';
import type { Schemas } from '../../../../server/own-contract/handler.ts';

const formOf = (type: Schemas['FieldType'], text: string): string | undefined => {
  const canonical = canonicalValue(type, text);
  return canonical.wrong === undefined ? canonical.value : undefined;
};

test.each<[Schemas['FieldType'], string, string]>([
  ['numbers', ' 007.50 ', '7.5'],
  ['numbers', '+0', '0'],
  ['numbers', '-0.00', '0'],
  ['numbers', '-1.0', '-1'],
  ['numbers', '9'.repeat(38), '9'.repeat(38)],
  ['numbers', `${'1'.repeat(20)}.${'1'.repeat(18)}`, `${'1'.repeat(20)}.${'1'.repeat(18)}`],
  ['phone', '+46 (70) 123-45.67', '+46701234567'],
  ['email', ' Ada@Example.com', 'Ada@Example.com'],
  ['currency', '0012.5 eur', '12.50 EUR'],
  ['currency', '12  JPY', '12 JPY'],
  ['currency', '1.5 KWD', '1.500 KWD'],
  ['currency', '-3 XCG', '-3.00 XCG'],
  ['date', ' 2024-02-29 ', '2024-02-29'],
  ['text', 'e\u0301', '\u00e9'],
  ['short_text', '  as it is ', '  as it is '],
  ['short_text', 'e\u0301', '\u00e9'],
  ['short_text', '𝒜'.repeat(255), '𝒜'.repeat(255)],
  ['text', 'x'.repeat(65_536), 'x'.repeat(65_536)],
])('%s: "%s" is stored as "%s"', (type, given, kept) => {
  expect(formOf(type, given)).toBe(kept);
});

test.each<[Schemas['FieldType'], string]>([
  ['numbers', ''],
  ['numbers', '1e5'],
  ['numbers', '.5'],
  ['numbers', '٣'],
  ['numbers', '9'.repeat(39)],
  ['phone', '0701234567'],
  ['phone', '+46 (0)70 123 45 67'],
  ['phone', '+0701234567'],
  ['phone', '+123456'],
  ['phone', '+1234567890123456'],
  ['email', 'nobody'],
  ['currency', '12.50'],
  ['currency', '12.505 EUR'],
  ['currency', '1.5 JPY'],
  ['currency', '1 XXY'],
  ['date', '2026-02-29'],
  ['date', '2026-02-01T00:00:00Z'],
  ['short_text', 'x'.repeat(256)],
  ['text', 'x'.repeat(65_537)],
])('%s: rejects "%s"', (type, given) => {
  expect(formOf(type, given)).toBeUndefined();
});

const types = Object.keys(fieldTypeRules) as Schemas['FieldType'][];

const likely = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'0123456789.-+ eE') }),
  fc
    .tuple(fc.integer(), fc.nat(99), fc.constantFrom('EUR', 'jpy', 'KWD'))
    .map(([whole, part, code]) => `${whole}.${part} ${code}`),
);

test('canonicalization is idempotent for every type', () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), likely, (type, text) => {
      const canonical = formOf(type, text);
      if (canonical !== undefined) expect(formOf(type, canonical)).toBe(canonical);
    }),
    { numRuns: 3_000 },
  );
});

test('equal numbers have the same canonical form, and different numbers do not', () => {
  const zeros = fc.nat(4).map((count) => '0'.repeat(count));
  fc.assert(
    fc.property(fc.integer(), fc.nat(999), zeros, zeros, (whole, part, before, behind) => {
      const plain = `${Math.abs(whole)}.${part}`;
      expect(formOf('numbers', `${before}${plain}${behind}`)).toBe(formOf('numbers', plain));
      expect(formOf('numbers', `${plain}1`)).not.toBe(formOf('numbers', plain));
    }),
  );
});
