/** A document with every supported keyword, some in combinations that restrict each other. */
export const keywordFixtures = {
  components: {
    schemas: {
      Anything: true,
      Word: { type: 'string', minLength: 2, maxLength: 5, title: 'Word', description: 'A word.' },
      Code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{3}$', $comment: 'As it is printed.' },
      NotBlank: { type: 'string', pattern: '\\S', minLength: 1, maxLength: 12 },
      Day: { type: 'string', format: 'date' },
      Moment: { type: ['string', 'null'], format: 'date-time', deprecated: true },
      Clock: { type: 'string', format: 'time' },
      Span: { type: 'string', format: 'duration' },
      Mail: { type: 'string', format: 'email', maxLength: 100 },
      Host: { type: 'string', format: 'hostname' },
      Four: { type: 'string', format: 'ipv4' },
      Six: { type: 'string', format: 'ipv6' },
      Link: { type: 'string', format: 'uri' },
      Near: { type: 'string', format: 'uri-reference' },
      Key: { type: 'string', format: 'uuid' },
      Pointer: { type: 'string', format: 'json-pointer' },
      Shape: { type: 'string', format: 'regex' },
      Small: { type: 'integer', format: 'int32' },
      Large: { type: 'integer', format: 'int64' },
      SmallNumber: { type: 'number', format: 'int32' },
      Percent: { type: 'integer', minimum: 0, maximum: 100 },
      Open: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      Halves: { type: 'number', multipleOf: 0.5, minimum: -3, maximum: 3 },
      Tens: { type: 'integer', multipleOf: 10, minimum: 1, maximum: 100 },
      Colour: { enum: ['red', 'green', 'blue'] },
      Rank: { type: 'integer', enum: [1, 2, 3] },
      Yes: { const: true },
      Mixed: { enum: ['a', 1, null, { b: 2 }] },
      Some: { type: 'array', items: { $ref: '#/components/schemas/Word' }, minItems: 1, maxItems: 4 },
      Set: {
        type: 'array',
        items: { type: 'integer', minimum: 0, maximum: 50 },
        uniqueItems: true,
        minItems: 2,
      },
      Pair: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'integer' }],
        items: false,
        minItems: 2,
      },
      Head: { type: 'array', prefixItems: [{ type: 'boolean' }], items: { type: 'string' } },
      WithSeven: {
        type: 'array',
        items: { type: 'integer' },
        contains: { const: 7 },
        minContains: 2,
        maxContains: 3,
      },
      Strict: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', minimum: 1 },
          name: { $ref: '#/components/schemas/Word' },
          gone: false,
        },
        additionalProperties: false,
      },
      Map: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 3 },
      Named: {
        type: 'object',
        propertyNames: { pattern: '^[a-z]+$' },
        additionalProperties: { type: 'boolean' },
      },
      Patterned: {
        type: 'object',
        patternProperties: { '^n_': { type: 'number' }, '^s_': { type: 'string' } },
        additionalProperties: false,
      },
      Together: {
        type: 'object',
        properties: { card: { type: 'string' }, address: { type: 'string' }, name: { type: 'string' } },
        dependentRequired: { card: ['address', 'name'] },
        unevaluatedProperties: false,
      },
      Depending: {
        type: 'object',
        properties: { gift: { type: 'boolean' } },
        dependentSchemas: {
          gift: { required: ['to'], properties: { to: { type: 'string', minLength: 1 } } },
        },
      },
      Animal: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind' },
      },
      Cat: {
        type: 'object',
        required: ['kind', 'lives'],
        properties: { kind: { const: 'cat' }, lives: { type: 'integer', minimum: 1, maximum: 9 } },
      },
      Dog: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: 'dog' }, barks: { type: 'boolean' } },
      },
      Overlap: {
        oneOf: [
          { type: 'integer', multipleOf: 3 },
          { type: 'integer', multipleOf: 5 },
        ],
      },
      Either: {
        anyOf: [
          { type: 'string', minLength: 3 },
          { type: 'integer', minimum: 10 },
        ],
      },
      Grown: {
        allOf: [
          { $ref: '#/components/schemas/Dog' },
          { required: ['owner'], properties: { owner: { type: 'string' } } },
        ],
        unevaluatedProperties: false,
      },
      NoCat: { type: 'string', not: { const: 'cat' }, examples: ['dog'] },
      Where: {
        type: 'object',
        required: ['country', 'postcode'],
        properties: { country: { enum: ['SE', 'US'] }, postcode: { type: 'string' } },
        if: { properties: { country: { const: 'SE' } } },
        // biome-ignore lint/suspicious/noThenProperty: it is a word of JSON Schema.
        then: { properties: { postcode: { pattern: '^[0-9]{3} [0-9]{2}$' } } },
        else: { properties: { postcode: { pattern: '^[0-9]{5}$' } } },
      },
      Rest: {
        type: 'array',
        allOf: [{ prefixItems: [{ type: 'string' }] }],
        unevaluatedItems: { type: 'integer' },
      },
      Ended: {
        type: 'array',
        minItems: 1,
        allOf: [{ prefixItems: [{ type: 'string' }] }],
        unevaluatedItems: false,
      },
      Slug: { type: 'string', pattern: '^[a-z0-9]+$', minLength: 20, maxLength: 40 },
      HalfOpen: { type: 'number', exclusiveMinimum: 0, maximum: 3, multipleOf: 0.5 },
      Cents: { type: 'number', multipleOf: 0.01 },
      TwoSteps: { allOf: [{ type: 'integer', multipleOf: 4 }, { multipleOf: 6 }] },
      FractionalStep: { type: 'integer', multipleOf: 2.5 },
      SetWithTwo: {
        type: 'array',
        items: { type: 'integer', minimum: 0, maximum: 5 },
        uniqueItems: true,
        contains: { const: 2 },
      },
      // `minItems` excludes the empty list, because Ajv contradicts itself about it: without `minItems`, Ajv reports
      // the violation of `contains` only with the option `allErrors`.
      TupleWithNumber: {
        type: 'array',
        minItems: 2,
        prefixItems: [{ type: 'string' }],
        contains: { type: 'integer' },
      },
      Cousins: {
        allOf: [
          { properties: { a: { type: 'integer' } } },
          { type: 'object', properties: { b: { type: 'string' } }, unevaluatedProperties: false },
        ],
      },
      Endless: { type: 'string', maxLength: 2_147_483_647 },
      EndlessList: { type: 'array', items: { type: 'integer' }, maxItems: 2_147_483_647 },
      FarAway: { type: 'number', minimum: 1e16 },
      Many: { oneOf: Array.from({ length: 100 }, (_, value) => ({ const: value })) },
      Filter: {
        oneOf: [
          {
            type: 'object',
            required: ['is'],
            properties: { is: { type: 'string' } },
            additionalProperties: false,
          },
          ...['and', 'or', 'not', 'but'].map((word) => ({
            type: 'object',
            required: [word],
            properties: {
              [word]: { $ref: '#/components/schemas/Filter' },
              with: { $ref: '#/components/schemas/Filter' },
            },
            additionalProperties: false,
          })),
        ],
      },
      Tree: {
        type: 'object',
        required: ['value'],
        properties: {
          value: { type: 'integer' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
        additionalProperties: false,
      },
      Chain: {
        type: 'object',
        required: ['next'],
        properties: { next: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Chain' }] } },
      },
      Odd: {
        type: 'object',
        required: ['a/b', 'c~d'],
        properties: {
          'a/b': { type: 'integer' },
          'c~d': { type: 'string', maxLength: 3 },
          '': { type: 'null' },
        },
      },
      Packed: {
        type: 'string',
        contentEncoding: 'base64',
        contentMediaType: 'application/json',
        contentSchema: true,
      },
      Untyped: { minimum: 3, minLength: 2, properties: { a: { type: 'integer' } } },
      Annotated: {
        type: 'object',
        title: 'T',
        default: {},
        example: {},
        readOnly: true,
        writeOnly: false,
        externalDocs: { url: 'https://example.com' },
        xml: { name: 'x' },
        $defs: { Unused: { type: 'string' } },
        'x-anything': 1,
      },
    },
  },
};
