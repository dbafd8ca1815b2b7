import { object, reference } from './documents.ts';

/** Names that every object inherits. In a contract and in a request they are names like any others. */
export const inheritedNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** Node drops headers with this name. */
const isHeaderName = (name: string): boolean => name !== '__proto__';

const text = { type: 'string', maxLength: 20, pattern: '^[a-z]+$' };

/** Creates an object with own properties. A literal with `__proto__` would set the prototype instead. */
const own = (...entries: [string, unknown][]): Record<string, unknown> => Object.fromEntries(entries);

/** A required property with the name, and an optional one without. */
const schemaFor = (name: string) => ({
  ...object(own([name, text], ['other', text]), name),
  additionalProperties: false,
});

const content = (name: string) => ({
  'application/json': {
    schema: reference(name),
    examples: own([name, { value: own([name, 'own']) }]),
  },
});

const responsesFor = (name: string) => ({
  '200': {
    description: 'OK',
    headers: isHeaderName(name) ? own([name, { required: true, schema: text, example: 'own' }]) : {},
    content: content(name),
  },
  '4XX': { description: 'An error' },
});

const pathsFor = (name: string, index: number): [string, unknown][] => [
  [
    `/read/${index}/{${name}}`,
    {
      get: {
        ...{ operationId: name, tags: [name], security: [own([name, []])] },
        parameters: ['path', 'query', 'cookie', ...(isHeaderName(name) ? ['header'] : [])].map((place) => ({
          ...{ name, in: place, schema: text, example: 'own', required: place !== 'cookie' },
        })),
        responses: responsesFor(name),
      },
    },
  ],
  [
    `/write/${index}`,
    {
      post: {
        ...{ operationId: `write${index}`, security: [] },
        requestBody: { required: true, content: content(name) },
        responses: responsesFor(name),
      },
    },
  ],
];

const kindSchema = (name: string) => object({ kind: { const: name } }, 'kind');

/**
 * A contract in which properties, parameters, schemas, operations, response headers, examples, tags, security schemes and
 * values of a discriminator have inherited names.
 */
export const contractWithInheritedNames = {
  openapi: '3.1.1',
  info: { title: 'Inherited names', version: '1.0.0' },
  tags: inheritedNames.map((name) => ({ name })),
  paths: {
    ...own(...inheritedNames.flatMap(pathsFor)),
    '/kinds': {
      post: {
        ...{ operationId: 'writeKind', security: [] },
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: reference('Kind'),
              example: { kind: 'toString' },
            },
          },
        },
        responses: { '204': { description: 'Done' }, '4XX': { description: 'An error' } },
      },
    },
  },
  components: {
    securitySchemes: own(
      ...inheritedNames.map((name, index): [string, unknown] => [
        name,
        { type: 'apiKey', in: 'header', name: `X-Key-${index}` },
      ]),
    ),
    schemas: own(
      ...inheritedNames.map((name): [string, unknown] => [name, schemaFor(name)]),
      ...inheritedNames.map((name, index): [string, unknown] => [`Kind${index}`, kindSchema(name)]),
      [
        'Kind',
        {
          oneOf: inheritedNames.map((_name, index) => reference(`Kind${index}`)),
          discriminator: {
            propertyName: 'kind',
            mapping: own(
              ...inheritedNames.map((name, index): [string, unknown] => [
                name,
                reference(`Kind${index}`).$ref,
              ]),
            ),
          },
        },
      ],
    ),
  },
};
