import { expect, test } from 'vitest';
import { ignoredParts } from '../../../../scripts/contract/load/ignored-parts.ts';

test('names the formats that are not validated, and only these', () => {
  const formats = ['uri-template', 'byte', 'password', 'date', 'toString', 'color'];
  const schemas = Object.fromEntries(formats.map((format) => [format, { type: 'string', format }]));
  const coin = { type: 'string', format: 'coin', pattern: '^[A-Z]{3}$' };
  expect(ignoredParts({ openapi: '3.1.0', components: { schemas: { ...schemas, coin } } })).toEqual([
    {
      pointer: '/components/schemas/toString/format',
      sentence:
        'Values of the format color, toString are not validated. Add a pattern to each of these schemas.',
    },
  ]);
});

test('names media types whose schema is not validated, and none whose schema says that it is bytes', () => {
  const content = {
    'application/json': { schema: { type: 'object' } },
    'application/pdf': {},
    'image/png': { schema: { type: 'string', format: 'binary' } },
    'image/gif': { schema: { type: 'string', maxLength: 9 } },
    'application/xml': { schema: { type: 'object' } },
  };
  const get = { responses: { 200: { description: 'Yes.', content } } };
  expect(ignoredParts({ openapi: '3.1.0', paths: { '/files': { get } } })).toEqual([
    {
      pointer: '/paths/~1files/get/responses/200/content/image~1gif',
      sentence: 'Bodies of application/xml, image/gif are sent as they are, and not validated.',
    },
  ]);
});

test('names the entries of x-rules that are no rules', () => {
  const put = {
    responses: {},
    'x-rules': [{ fields: ['query/to'], rule: 'to is after from' }, { rule: 'Once a day.' }, '/to', {}],
  };
  expect(ignoredParts({ openapi: '3.1.0', paths: { '/files': { put } } })).toEqual([
    {
      pointer: '/paths/~1files/put/x-rules/2',
      sentence: expect.stringMatching(
        /^An entry of x-rules is ignored: "\/to", \{\}\. Write an object, such as/,
      ),
    },
  ]);
});
