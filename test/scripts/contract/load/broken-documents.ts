/** A document with one mistake, and the expected error. */
export interface BrokenDocument {
  name: string;
  /** Files by name. `root.yaml` is the root document. */
  files: Record<string, string>;
  /** Location of the mistake: `file:line`, or `file` if no line is known. */
  at: string;
  message: RegExp;
}

const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n';
const ok = "responses: { '200': { description: Yes. } }";

const broken = (name: string, text: string, at: string, message: RegExp): BrokenDocument => ({
  name,
  files: { 'root.yaml': text },
  at,
  message,
});

export const brokenDocuments: BrokenDocument[] = [
  broken(
    'no version',
    'info: { title: T, version: 1.0.0 }\npaths: {}\n',
    'root.yaml',
    /is not an OpenAPI document of version 3\.0, 3\.1 or 3\.2, or Swagger 2\.0/,
  ),
  broken(
    'an unknown version',
    'openapi: 4.0.0\ninfo: { title: T, version: 1.0.0 }\npaths: {}\n',
    'root.yaml',
    /is not an OpenAPI document/,
  ),
  broken('not an object', '- openapi\n', 'root.yaml', /is not an OpenAPI document/),
  broken(
    'a dangling internal reference',
    `${head}paths:\n  /a:\n    get:\n      responses:\n        '200': { $ref: '#/components/responses/Gone' }\n`,
    'root.yaml:7',
    /Can't resolve \$ref/,
  ),
  broken(
    'a reference to a missing file',
    `${head}paths:\n  /a: { $ref: 'gone.yaml' }\n`,
    'root.yaml:4',
    /Can't resolve \$ref/,
  ),
  {
    name: 'a dangling reference in another file',
    files: {
      'root.yaml': `${head}paths:\n  /a: { $ref: a.yaml }\n`,
      'a.yaml': `get:\n  responses:\n    '200':\n      $ref: '#/gone'\n`,
    },
    at: 'a.yaml:3',
    message: /Can't resolve \$ref/,
  },
  broken(
    'a misspelt type',
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      type: strng\n`,
    'root.yaml:7',
    /The schema is invalid: type must be one of: array, boolean, integer, "null"/,
  ),
  broken(
    'a boolean exclusiveMaximum',
    `${head}paths: {}\ncomponents:\n  schemas:\n    A: { type: number, maximum: 5, exclusiveMaximum: true }\n`,
    'root.yaml:6',
    /The schema is invalid: exclusiveMaximum must be a number/,
  ),
  broken(
    'an invalid schema of a response',
    `${head}paths:\n  /a:\n    get:\n      responses:\n        '200':\n          description: Yes.\n          content:\n            application/json:\n              schema: { enum: no }\n`,
    'root.yaml:11',
    /The schema is invalid: enum must be an array/,
  ),
  broken(
    'an anchor',
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      $anchor: here\n      type: string\n`,
    'root.yaml:6',
    /Anchors \(\$anchor, \$dynamicAnchor\) are not supported/,
  ),
  broken(
    'an unknown dialect',
    `${head}jsonSchemaDialect: https://json-schema.org/draft/next/schema\npaths: {}\n`,
    'root.yaml:3',
    /The schema dialect https:\/\/json-schema\.org\/draft\/next\/schema is not supported/,
  ),
  broken(
    'a parameter without a name',
    `${head}paths:\n  /a:\n    get:\n      parameters:\n        - { in: query, name: }\n      ${ok}\n`,
    'root.yaml:7',
    /name must be a string, but is missing/,
  ),
  broken(
    'a parameter at an unknown place',
    `${head}paths:\n  /a:\n    get:\n      parameters:\n        - { name: q, in: body }\n      ${ok}\n`,
    'root.yaml:7',
    /in must be one of: query, header, path, cookie, not "body"/,
  ),
  broken(
    'a reference to a text',
    `${head}paths:\n  /a:\n    get:\n      responses:\n        '200': { $ref: '#/info/title' }\n`,
    'root.yaml:7',
    /The target of the reference #\/info\/title must be an object, not "T"/,
  ),
  broken(
    'a security scheme without a value, in Swagger 2.0',
    `swagger: '2.0'\ninfo: { title: T, version: 1.0.0 }\npaths: {}\nsecurityDefinitions:\n  key:\n`,
    'root.yaml:5',
    /key must be an object, not null/,
  ),
  {
    name: 'a list in another file',
    files: {
      'root.yaml': `${head}paths:\n  /a: { $ref: a.yaml }\n`,
      'a.yaml': `get:\n  responses:\n    - 200\n`,
    },
    at: 'a.yaml:2',
    message: /responses must be an object, not an array/,
  },
];
