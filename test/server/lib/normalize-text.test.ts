import { expect, test } from 'vitest';
import { normalizeText } from '../../../server/lib/normalize-text.ts';

test.each(['NFC', 'NFKD'] as const)(
  'normalizes texts without long runs of combining marks as usual (%s)',
  (form) => {
    for (const text of [
      '',
      'e\u0301a\u0323\u0301',
      'ﬁ',
      '\u1112\u1161\u11ab',
      'a'.repeat(1_000),
      'e\u0301'.repeat(500),
    ])
      expect(normalizeText(text, form)).toBe(text.normalize(form));
  },
);

test('normalizes what surrounds a long run of combining marks', () => {
  const run = '\u0301'.repeat(500);
  expect(normalizeText(`e\u0301 ${run} u\u0308\u1112\u1161`, 'NFC')).toBe(`é ${run} ü하`);
});
