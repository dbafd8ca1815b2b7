const id = { type: 'integer', readOnly: true };
const password = { type: 'string', writeOnly: true };
const name = { type: 'string' };
const user = { type: 'object', properties: { id, password, name }, required: ['id', 'password', 'name'] };
const whole = { id: 1, password: 'p', name: 'n' };
/** Stands for the content of a file. */
export const file = '(file)';

/** Schemas with a value that has every property. Its parts are valid and invalid, in the two directions. */
export const cases: Record<string, { schema: object; value: unknown; mediaType?: string }> = {
  'own properties': { schema: user, value: whole },
  'optional properties': { schema: { ...user, required: ['name'] }, value: whole },
  'a shared schema': { schema: { $ref: '#/components/schemas/User' }, value: whole },
  'a nested object': {
    schema: { type: 'object', properties: { owner: { $ref: '#/components/schemas/User' } } },
    value: { owner: whole },
  },
  'a marked object': {
    schema: {
      type: 'object',
      required: ['meta', 'name'],
      properties: { meta: { type: 'object', readOnly: true, properties: { password, name } }, name },
    },
    value: { meta: { password: 'p', name: 'n' }, name: 'n' },
  },
  'an array': { schema: { type: 'array', items: { $ref: '#/components/schemas/User' } }, value: [whole] },
  'a tuple': {
    schema: {
      type: 'array',
      prefixItems: [{ $ref: '#/components/schemas/User' }, { type: 'integer' }],
      minItems: 2,
      maxItems: 2,
    },
    value: [whole, 7],
  },
  'additional properties': {
    schema: { type: 'object', additionalProperties: { $ref: '#/components/schemas/User' } },
    value: { any: whole },
  },
  'additional properties beside marked ones': {
    schema: {
      type: 'object',
      properties: { id: { ...name, readOnly: true }, password },
      required: ['id', 'password'],
      additionalProperties: name,
    },
    value: { id: 'i', password: 'p', other: 'o' },
  },
  allOf: {
    schema: {
      allOf: [
        { $ref: '#/components/schemas/User' },
        { type: 'object', properties: { role: { ...name, readOnly: true } }, required: ['role'] },
      ],
    },
    value: { ...whole, role: 'r' },
  },
  'allOf with required beside it': {
    schema: { allOf: [{ $ref: '#/components/schemas/Optional' }], required: ['id', 'password', 'name'] },
    value: whole,
  },
  'allOf that marks a property again': {
    schema: {
      allOf: [
        { type: 'object', properties: { id, name } },
        { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      ],
    },
    value: { id: 1, name: 'n' },
  },
  oneOf: {
    schema: {
      oneOf: [
        { $ref: '#/components/schemas/Cat' },
        {
          type: 'object',
          required: ['kind', 'secret'],
          properties: { kind: { const: 'dog' }, secret: { ...name, writeOnly: true } },
        },
      ],
    },
    value: { kind: 'cat', lives: 9 },
  },
  'a marked schema behind a reference': {
    schema: {
      type: 'object',
      required: ['key', 'name'],
      properties: { key: { $ref: '#/components/schemas/Secret' }, name },
    },
    value: { key: 'k', name: 'n' },
  },
  'a marked schema in allOf': {
    schema: {
      type: 'object',
      required: ['key', 'name'],
      properties: { key: { allOf: [{ $ref: '#/components/schemas/Secret' }], maxLength: 5 }, name },
    },
    value: { key: 'k', name: 'n' },
  },
  'a mark beside a reference': {
    schema: {
      type: 'object',
      required: ['owner'],
      properties: { owner: { $ref: '#/components/schemas/Optional', readOnly: true }, name },
    },
    value: { owner: { name: 'n' }, name: 'n' },
  },
  'properties beside a reference': {
    schema: {
      $ref: '#/components/schemas/User',
      properties: { token: { ...name, writeOnly: true } },
      required: ['token'],
    },
    value: { ...whole, token: 't' },
  },
  'both marks': {
    schema: {
      type: 'object',
      required: ['internal', 'name'],
      properties: { internal: { ...name, readOnly: true, writeOnly: true }, name },
    },
    value: { internal: 'i', name: 'n' },
  },
  'a nullable property': {
    schema: {
      type: 'object',
      required: ['token', 'name'],
      properties: {
        token: { type: ['string', 'null'], writeOnly: true },
        name: { type: ['string', 'null'] },
      },
    },
    value: { token: null, name: null },
  },
  'names that all objects have': {
    schema: {
      type: 'object',
      required: ['toString', 'name'],
      properties: { toString: { $ref: '#/components/schemas/Secret' }, name },
    },
    value: { toString: 't', name: 'n' },
  },
  'a schema that contains itself': {
    schema: { $ref: '#/components/schemas/Tree' },
    value: { id: 1, parent: { id: 2, parent: { id: 3, password: 'p' } } },
  },
  'a form': {
    mediaType: 'multipart/form-data',
    schema: {
      type: 'object',
      required: ['id', 'password', 'picture'],
      properties: {
        id,
        password,
        picture: { type: 'string', contentMediaType: 'image/png' },
        preview: { type: 'string', contentMediaType: 'image/png', readOnly: true },
      },
    },
    value: { id: 1, password: 'p', picture: file, preview: file },
  },
};

/** The shared schemas of the cases. */
export const schemas = {
  User: user,
  Optional: { ...user, required: [] },
  Secret: { type: 'string', writeOnly: true },
  Cat: {
    type: 'object',
    required: ['kind', 'lives'],
    properties: { kind: { const: 'cat' }, lives: { type: 'integer', readOnly: true } },
  },
  Tree: {
    type: 'object',
    required: ['id'],
    properties: { id, password, parent: { $ref: '#/components/schemas/Tree' } },
  },
};
