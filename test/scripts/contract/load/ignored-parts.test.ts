import { expect, test } from 'vitest';
import { ignoredParts } from '../../../../scripts/contract/load/ignored-parts.ts';

test('names the formats that are not validated, and only these', () => {
  const formats = ['uri-template', 'byte', 'password', 'date', 'toString', 'color'];
  const schemas = Object.fromEntries(formats.map((format) => [format, { type: 'string', format }]));
  expect(ignoredParts({ openapi: '3.1.0', components: { schemas } })).toEqual([
    {
      pointer: '/components/schemas/toString/format',
      sentence: 'Values of the format color, toString are not validated.',
    },
  ]);
});
