import type { Prng } from '../../../lib/prng.ts';
import { asJson, type FuzzGenerator, rawRequest, utf8 } from '../generator.ts';

const parts = [
  ...[
    'Ada',
    'é',
    'e\u0301',
    '한국',
    '\u{1f44d}',
    '\u{1f468}\u200d\u{1f469}',
    '\u202e',
    '\u200b',
    '\ufeff',
    '\ufffe',
    '\u{10ffff}',
  ],
  ...[
    "'; drop table contacts; --",
    '<script>alert(1)</script>',
    '{{7*7}}',
    '$' + '{x}',
    '%s',
    '\\',
    '"',
    '\u0001',
    '\t',
    '\r\n',
    '\u007f',
  ],
  ...['constructor', '__proto__', 'null', '../..', '1e999', '-0', '\u2028', '\u00a0', 'ﬁ', 'İ', 'ß'],
];

const text = (prng: Prng): string =>
  Array.from({ length: 1 + prng.below(12) }, () => prng.oneOf(parts)).join('');

/** Valid text, which must be stored unchanged. */
export const textGenerator: FuzzGenerator = {
  name: 'texts',
  what: 'messages with valid but unusual text, each read back and compared',
  attempt(prng, { token, conversationId }) {
    const payload = text(prng);
    const body = utf8(JSON.stringify({ conversation_id: conversationId, type: 'text', payload }));
    return {
      bytes: rawRequest('POST /api/v1/messages', { token, headers: [asJson], body }),
      right: [201],
      stored: { name: 'payload', text: payload },
    };
  },
};
