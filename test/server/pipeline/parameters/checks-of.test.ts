import { expect, test } from 'vitest';
import { checksOf } from '../../../../server/pipeline/parameters/checks-of.ts';
import { requestParser } from './request-parser.ts';

test('lists the schemas of the parameters, and those that decide between types', () => {
  const integer = { type: 'integer' };
  const either = { type: ['integer', 'string'] };
  const { plan } = requestParser(
    [
      { name: 'a', in: 'query', schema: integer },
      { name: 'b', in: 'query', schema: { type: 'array', items: either, prefixItems: [integer, either] } },
      { name: 'c', in: 'header', schema: { type: 'object', properties: { x: either, 'y/z': either } } },
      { name: 'd', in: 'query', schema: { oneOf: [{ type: 'array', items: either }, { type: 'boolean' }] } },
      { name: 'e', in: 'cookie', schema: { type: 'array', items: { $ref: '#/components/schemas/Either' } } },
      {
        name: 'f',
        in: 'path',
        schema: { allOf: [{ properties: { x: either } }, { properties: { x: either } }] },
      },
      { name: 'Accept', in: 'header', schema: either },
    ],
    { Either: either },
  );
  expect(checksOf(plan).sort()).toEqual([
    '/components/schemas/Either',
    '/parameters/0/schema',
    '/parameters/1/schema',
    '/parameters/1/schema/items',
    '/parameters/1/schema/prefixItems/1',
    '/parameters/2/schema',
    '/parameters/2/schema/properties/x',
    '/parameters/2/schema/properties/y~1z',
    '/parameters/3/schema',
    '/parameters/3/schema/oneOf/0/items',
    '/parameters/4/schema',
    '/parameters/5/schema',
    '/parameters/5/schema/allOf/0/properties/x',
    '/parameters/5/schema/allOf/1/properties/x',
  ]);
});
