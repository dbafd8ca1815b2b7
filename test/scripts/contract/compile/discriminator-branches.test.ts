import { expect, test } from 'vitest';
import { createSchemaCopies } from '../../../../scripts/contract/compile/schema-copies.ts';
import { createSchemaFunctions } from '../../../../scripts/contract/compile/schema-functions.ts';

const object = (kind: object, property: string) => ({
  type: 'object',
  required: ['kind', property],
  properties: { kind, [property]: { type: 'integer' } },
});

/** Returns the function of a `oneOf` of two schemas, whose discriminator has no mapping. */
function decide(schemas: { Circle: object; Square: object }): (value: object) => boolean {
  const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const Shape = { oneOf, discriminator: { propertyName: 'kind' } };
  const copies = createSchemaCopies({ components: { schemas: { ...schemas, Shape } } });
  const name = copies.nameOf('/components/schemas/Shape', 'request');
  return createSchemaFunctions(copies).deciderOf(name);
}

test.each([
  ['const', { const: 'circle' }, { const: 'square' }],
  ['enum', { enum: ['circle', 'round'] }, { enum: ['square'] }],
])(
  'without a mapping, a discriminator has the values that the branches list with %s',
  (_word, circle, square) => {
    const accepts = decide({ Circle: object(circle, 'radius'), Square: object(square, 'side') });
    expect(accepts({ kind: 'circle', radius: 1 })).toBe(true);
    expect(accepts({ kind: 'square', side: 1 })).toBe(true);
    expect(accepts({ kind: 'square', radius: 1 })).toBe(false);
    expect(accepts({ kind: 'Circle', radius: 1 })).toBe(false);
  },
);

test('values that several branches list select no branch, so the names of the schemas do', () => {
  const kind = { enum: ['Circle', 'Square'] };
  const accepts = decide({ Circle: object(kind, 'radius'), Square: object(kind, 'side') });
  expect(accepts({ kind: 'Circle', radius: 1 })).toBe(true);
  expect(accepts({ kind: 'Square', radius: 1 })).toBe(false);
});

test('a discriminator whose values are no texts selects nothing', () => {
  const accepts = decide({ Circle: object({ const: 1 }, 'radius'), Square: object({ const: 2 }, 'side') });
  expect(accepts({ kind: 1, radius: 1 })).toBe(true);
  expect(accepts({ kind: 2, radius: 1 })).toBe(false);
});
