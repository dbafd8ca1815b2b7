import { expect, test } from 'vitest';
import { markedPropertiesBy } from '../../../../scripts/contract/model/marked-properties.ts';

/** Each level combines the next one twice, so that 2^25 paths lead to the last one, which refers to the first. */
const levels = Array.from({ length: 25 }, (_, index) => ({
  allOf: [{ $ref: `${index + 1}` }, { $ref: `${index + 1}` }],
  properties: { [`of${index}`]: { readOnly: index % 10 === 0 } },
}));
const last = { $ref: '0', properties: { id: { allOf: [{ $ref: 'marked' }] }, name: {} } };
const marked = { readOnly: true };

test('finds the marked properties of schemas that are combined in many ways, and with themselves', () => {
  const schemas: Record<string, object> = { ...Object.fromEntries(levels.entries()), 25: last, marked };
  const markedIn = markedPropertiesBy((reference) => schemas[reference], 'readOnly');
  expect(markedIn(levels[0])).toEqual(['of0', 'of10', 'of20', 'id']);
});
