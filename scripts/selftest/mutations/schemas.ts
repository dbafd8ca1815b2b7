import type { Edit, Mutation } from './mutation.ts';

const sent = '/components/schemas/NewBook';
const got = '/components/schemas/Book';
const filter = '/components/schemas/Filter';

/** A keyword changed in a schema that is sent, or in one that comes back. */
const change = (
  kind: string,
  where: 'sent' | 'got',
  how: string,
  label: Mutation['label'],
  ...edits: [string, unknown][]
): Mutation => ({
  kind,
  name: `${where}: ${how}`,
  label,
  edits: edits.map(([at, value]): Edit => [(where === 'sent' ? sent : got) + at, value]),
});

const person = '#/components/schemas/Person';

/** Every keyword of JSON Schema, in both directions. */
export const schemaMutations: readonly Mutation[] = [
  change('type', 'sent', 'a number has to be whole', 'breaking', ['/properties/price/type', 'integer']),
  change(
    'type',
    'sent',
    'a whole number may be any',
    'compatible',
    ['/properties/pages/type', 'number'],
    ['/properties/pages/multipleOf', undefined],
  ),
  change('type', 'got', 'a whole number may be any', 'breaking', ['/properties/pages/type', 'number']),
  change('type', 'got', 'a number is whole', 'compatible', ['/properties/price/type', 'integer']),
  change('type', 'got', 'null may come', 'breaking', ['/properties/pages/type', ['integer', 'null']]),
  change('type', 'got', 'null comes no more', 'compatible', ['/properties/due/type', 'string']),
  change('type', 'sent', 'null is taken, too', 'compatible', ['/properties/title/type', ['string', 'null']]),
  change('type', 'got', 'null is allowed by a choice', 'same', [
    '/properties/due',
    { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
  ]),
  change('enum', 'sent', 'a value goes', 'breaking', ['/properties/kind/enum', ['novel', 'manual']]),
  change('enum', 'sent', 'a value comes', 'compatible', [
    '/properties/kind/enum',
    ['novel', 'manual', 'map', 'score'],
  ]),
  change('enum', 'got', 'a value goes', 'compatible', ['/properties/kind/enum', ['novel', 'manual']]),
  change('enum', 'got', 'a value comes', 'breaking', [
    '/properties/kind/enum',
    ['novel', 'manual', 'map', 'score'],
  ]),
  change('enum', 'got', 'any text may come', 'breaking', ['/properties/kind/enum', undefined]),
  change('enum', 'sent', 'values stand in another order', 'same', [
    '/properties/kind/enum',
    ['map', 'novel', 'manual'],
  ]),
  change('enum', 'sent', 'values are a choice of constants', 'same', [
    '/properties/kind',
    { oneOf: [{ const: 'novel' }, { const: 'manual' }, { const: 'map' }] },
  ]),
  change('const', 'got', 'another value', 'breaking', ['/properties/lent/const', true]),
  change('const', 'got', 'any value', 'breaking', ['/properties/lent/const', undefined]),
  change('const', 'got', 'a constant is an enumeration of one', 'same', [
    '/properties/lent',
    { type: 'boolean', enum: [false] },
  ]),
  change('const', 'sent', 'one value is asked for', 'breaking', ['/properties/coded/const', 'x']),
  change('minLength', 'sent', 'more is asked for', 'breaking', ['/properties/title/minLength', 2]),
  change('minLength', 'sent', 'nothing is asked for', 'compatible', [
    '/properties/title/minLength',
    undefined,
  ]),
  change('minLength', 'got', 'it may be empty', 'breaking', ['/properties/title/minLength', undefined]),
  change('maxLength', 'sent', 'less is taken', 'breaking', ['/properties/title/maxLength', 80]),
  change('maxLength', 'sent', 'more is taken', 'compatible', ['/properties/title/maxLength', 200]),
  change('maxLength', 'got', 'more may come', 'breaking', ['/properties/title/maxLength', 200]),
  change('maxLength', 'got', 'less comes', 'compatible', ['/properties/title/maxLength', 80]),
  change('pattern', 'sent', 'another text', 'breaking', ['/properties/shelf/pattern', '^[A-F][0-9]$']),
  change('pattern', 'sent', 'any text', 'compatible', ['/properties/shelf/pattern', undefined]),
  change('format', 'sent', 'a date is asked for', 'breaking', ['/properties/coded/format', 'date']),
  change('format', 'sent', 'any text is taken', 'compatible', ['/properties/callback/format', undefined]),
  change('format', 'got', 'it may be any text', 'breaking', ['/properties/due/format', undefined]),
  change('format', 'got', 'it is a date', 'compatible', ['/properties/isbn/format', 'date']),
  change('minimum', 'sent', 'more is asked for', 'breaking', ['/properties/pages/minimum', 2]),
  change('minimum', 'got', 'less may come', 'breaking', ['/properties/pages/minimum', 0]),
  change(
    'minimum',
    'sent',
    'more than nothing is at least one',
    'same',
    ['/properties/pages/minimum', undefined],
    ['/properties/pages/exclusiveMinimum', 0],
  ),
  change('maximum', 'sent', 'less is taken', 'breaking', ['/properties/pages/maximum', 4000]),
  change('maximum', 'got', 'more may come', 'breaking', ['/properties/pages/maximum', 6000]),
  change('maximum', 'got', 'less comes', 'compatible', ['/properties/pages/maximum', 4000]),
  change(
    'exclusiveMinimum',
    'sent',
    'a bound is taken, too',
    'compatible',
    ['/properties/price/exclusiveMinimum', undefined],
    ['/properties/price/minimum', 0],
  ),
  change(
    'exclusiveMinimum',
    'got',
    'a bound may come, too',
    'breaking',
    ['/properties/price/exclusiveMinimum', undefined],
    ['/properties/price/minimum', 0],
  ),
  change(
    'exclusiveMaximum',
    'sent',
    'a bound is refused',
    'breaking',
    ['/properties/price/maximum', undefined],
    ['/properties/price/exclusiveMaximum', 1000],
  ),
  change('multipleOf', 'sent', 'tens are asked for', 'breaking', ['/properties/pages/multipleOf', 10]),
  change('multipleOf', 'sent', 'every whole number is a multiple of one', 'same', [
    '/properties/pages/multipleOf',
    undefined,
  ]),
  change('multipleOf', 'got', 'only tens come', 'compatible', ['/properties/pages/multipleOf', 10]),
  change('minItems', 'sent', 'one is asked for', 'breaking', ['/properties/tags/minItems', 1]),
  change('minItems', 'got', 'none may come', 'breaking', ['/properties/tags/minItems', undefined]),
  change('maxItems', 'sent', 'fewer are taken', 'breaking', ['/properties/tags/maxItems', 7]),
  change('maxItems', 'got', 'more may come', 'breaking', ['/properties/tags/maxItems', 9]),
  change('uniqueItems', 'sent', 'none may come twice', 'breaking', ['/properties/tags/uniqueItems', true]),
  change('uniqueItems', 'got', 'one may come twice', 'breaking', ['/properties/tags/uniqueItems', undefined]),
  change('items', 'sent', 'items are shorter', 'breaking', ['/properties/tags/items/maxLength', 10]),
  change('items', 'got', 'items may be longer', 'breaking', ['/properties/tags/items/maxLength', 30]),
  change('items', 'got', 'items are shorter', 'compatible', ['/properties/tags/items/maxLength', 10]),
  change('items', 'sent', 'more may come behind a tuple', 'compatible', [
    '/properties/size/items',
    { type: 'integer' },
  ]),
  change('prefixItems', 'sent', 'a place takes less', 'breaking', [
    '/properties/size/prefixItems/0',
    { type: 'integer', minimum: 1 },
  ]),
  change('prefixItems', 'got', 'a place may hold more', 'breaking', [
    '/properties/size/prefixItems/0',
    { type: ['integer', 'null'] },
  ]),
  change('contains', 'sent', 'one has to be there', 'breaking', ['/properties/loans/minContains', undefined]),
  change('contains', 'sent', 'what counts is more', 'breaking', ['/properties/loans/contains/minimum', 3]),
  change('minContains', 'sent', 'two have to be there', 'breaking', ['/properties/loans/minContains', 2]),
  change('maxContains', 'sent', 'only one may be there', 'breaking', ['/properties/loans/maxContains', 1]),
  change('maxContains', 'sent', 'more may be there', 'compatible', ['/properties/loans/maxContains', 4]),
  change('properties', 'sent', 'a property goes', 'breaking', ['/properties/coded', undefined]),
  change('properties', 'sent', 'an optional property comes', 'compatible', [
    '/properties/colour',
    { type: 'string' },
  ]),
  change('properties', 'got', 'an optional property goes', 'breaking', ['/properties/extras', undefined]),
  change('properties', 'got', 'a property comes', 'compatible', ['/properties/colour', { type: 'string' }]),
  change(
    'properties',
    'got',
    'a property comes and is always there',
    'compatible',
    ['/properties/colour', { type: 'string' }],
    ['/required/-', 'colour'],
  ),
  change('required', 'sent', 'a property becomes required', 'breaking', ['/required/-', 'pages']),
  change(
    'required',
    'sent',
    'a new property is required',
    'breaking',
    ['/properties/colour', { type: 'string' }],
    ['/required/-', 'colour'],
  ),
  change('required', 'sent', 'a property becomes optional', 'compatible', ['/required', ['title']]),
  change('required', 'got', 'a property becomes optional', 'breaking', ['/required', ['isbn', 'title']]),
  change('required', 'got', 'a property is always there', 'compatible', ['/required/-', 'pages']),
  change('additionalProperties', 'sent', 'anything else is taken', 'compatible', [
    '/additionalProperties',
    undefined,
  ]),
  change('additionalProperties', 'sent', 'values of any name are shorter', 'breaking', [
    '/properties/extras/additionalProperties',
    { type: 'string', maxLength: 5 },
  ]),
  change('additionalProperties', 'sent', 'no other name is taken', 'breaking', [
    '/properties/extras/additionalProperties',
    false,
  ]),
  change('additionalProperties', 'got', 'values of any name may be numbers', 'breaking', [
    '/properties/extras/additionalProperties',
    { type: ['string', 'integer'] },
  ]),
  change('patternProperties', 'got', 'values may be other ones', 'breaking', [
    '/properties/counts/patternProperties/^n_',
    { type: 'number' },
  ]),
  change('patternProperties', 'got', 'values are fewer', 'compatible', [
    '/properties/counts/patternProperties/^n_',
    { type: 'integer', minimum: 0 },
  ]),
  change('propertyNames', 'sent', 'names are shorter', 'breaking', [
    '/properties/extras/propertyNames/maxLength',
    5,
  ]),
  change('propertyNames', 'got', 'names may be longer', 'breaking', [
    '/properties/extras/propertyNames/maxLength',
    20,
  ]),
  change('minProperties', 'sent', 'one has to be there', 'breaking', ['/properties/extras/minProperties', 1]),
  change('minProperties', 'got', 'none may be there', 'breaking', [
    '/properties/extras/minProperties',
    undefined,
  ]),
  change('maxProperties', 'sent', 'fewer are taken', 'breaking', ['/properties/extras/maxProperties', 3]),
  change('maxProperties', 'got', 'more may come', 'breaking', ['/properties/extras/maxProperties', 5]),
  {
    kind: 'dependentRequired',
    name: 'sent: one property asks for another',
    label: 'breaking',
    edits: [[`${filter}/dependentRequired/author`, ['since']]],
  },
  {
    kind: 'dependentRequired',
    name: 'sent: one property asks for none',
    label: 'compatible',
    edits: [[`${filter}/dependentRequired`, undefined]],
  },
  change('dependentSchemas', 'sent', 'one property asks for another', 'breaking', [
    '/dependentSchemas',
    { tags: { required: ['pages'] } },
  ]),
  change('if, then', 'sent', 'more is asked for where it holds', 'breaking', [
    '/properties/rule/then/properties',
    { b: { minLength: 2 } },
  ]),
  change('if, then', 'sent', 'nothing is asked for where it holds', 'compatible', [
    '/properties/rule/then',
    undefined,
  ]),
  change('else', 'sent', 'something is asked for where it does not hold', 'breaking', [
    '/properties/rule/else',
    { required: ['b'] },
  ]),
  change('not', 'sent', 'more is refused', 'breaking', ['/properties/coded/not', { enum: ['none', 'any'] }]),
  change('not', 'sent', 'nothing is refused', 'compatible', ['/properties/coded/not', undefined]),
  change('anyOf', 'sent', 'a choice goes', 'breaking', ['/properties/note/anyOf/1', undefined]),
  change('anyOf', 'sent', 'a choice comes', 'compatible', ['/properties/note/anyOf/-', { type: 'boolean' }]),
  change('anyOf', 'got', 'a choice comes', 'breaking', ['/properties/note/anyOf/-', { type: 'boolean' }]),
  change('anyOf', 'got', 'a choice goes', 'compatible', ['/properties/note/anyOf/1', undefined]),
  change('oneOf', 'sent', 'a choice goes', 'breaking', ['/properties/either/oneOf/1', undefined]),
  change('oneOf', 'sent', 'a choice comes', 'compatible', [
    '/properties/either/oneOf/-',
    { type: 'integer' },
  ]),
  change('oneOf', 'sent', 'two choices fit the same', 'breaking', [
    '/properties/either/oneOf/-',
    { type: 'string', maxLength: 1 },
  ]),
  change('allOf', 'sent', 'something more has to hold', 'breaking', [
    '/properties/title/allOf',
    [{ pattern: '^[A-Z]' }],
  ]),
  change('allOf', 'got', 'something holds no more', 'breaking', ['/properties/author/allOf/1', undefined]),
  change('allOf', 'sent', 'all of one is the one', 'same', [
    '/properties/title',
    { allOf: [{ type: 'string', minLength: 1, maxLength: 100 }] },
  ]),
  change('allOf', 'got', 'two parts are one', 'same', [
    '/properties/author',
    {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 60 }, born: { type: 'integer' } },
    },
  ]),
  change('$ref', 'got', 'another schema', 'breaking', ['/properties/author', { $ref: person }]),
  {
    kind: '$ref',
    name: 'sent: a schema moves into a component',
    label: 'same',
    edits: [
      [`${sent}/properties/coded`, { $ref: '#/components/schemas/Coded' }],
      ['/components/schemas/Coded', { type: 'string', not: { const: 'none' } }],
    ],
  },
  {
    kind: 'unevaluatedProperties',
    name: 'sent: anything else is taken',
    label: 'compatible',
    edits: [['/components/schemas/Loan/unevaluatedProperties', undefined]],
  },
  {
    kind: 'unevaluatedProperties',
    name: 'sent: a part moves into the whole',
    label: 'same',
    edits: [
      [
        '/components/schemas/Loan',
        {
          type: 'object',
          unevaluatedProperties: false,
          required: ['isbn'],
          properties: { isbn: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 30 } },
        },
      ],
    ],
  },
  {
    kind: 'unevaluatedProperties',
    name: 'sent: a property of a part goes',
    label: 'breaking',
    edits: [['/components/schemas/Loan/properties', {}]],
  },
  change('readOnly', 'sent', 'a property is only read', 'breaking', ['/properties/pages/readOnly', true]),
  change('readOnly', 'got', 'a property is only read', 'compatible', ['/properties/pages/readOnly', true]),
  change('writeOnly', 'got', 'a property is only written', 'breaking', ['/properties/pages/writeOnly', true]),
  change('writeOnly', 'sent', 'a property is only written', 'compatible', [
    '/properties/pages/writeOnly',
    true,
  ]),
  change('contentMediaType', 'got', 'a text is of another kind', 'compatible', [
    '/properties/isbn/contentMediaType',
    'text/html',
  ]),
  change(
    'deprecated',
    'got',
    'a property is said to go',
    'compatible',
    ['/properties/extras/deprecated', true],
    ['/properties/extras/x-deprecated-since', '2026-01-01'],
    ['/properties/extras/x-sunset', '2999-01-01'],
  ),
  change('description', 'got', 'a property is described', 'same', [
    '/properties/title/description',
    'As on the cover.',
  ]),
  change('examples', 'got', 'a property has an example', 'same', ['/properties/title/examples', ['Emma']]),
  change('x-', 'got', 'a word of others', 'same', ['/properties/title/x-order', 3]),
];
