import type { Mutation } from './mutation.ts';

const books = '/paths/~1books';
const book = '/paths/~1books~1{isbn}';
const parameters = `${books}/get/parameters`;

const ping = { get: { operationId: 'ping2', security: [], responses: { 200: { description: 'Alive.' } } } };

/** Paths, operations, parameters, security, servers. */
export const operationMutations: readonly Mutation[] = [
  { kind: 'path', name: 'a path goes', label: 'breaking', edits: [['/paths/~1loans', undefined]] },
  { kind: 'path', name: 'a path comes', label: 'compatible', edits: [['/paths/~1pong', ping]] },
  {
    kind: 'path',
    name: 'a path parameter is called otherwise',
    label: 'same',
    edits: [
      [
        '/paths/~1books~1{number}',
        {
          parameters: [
            {
              name: 'number',
              in: 'path',
              required: true,
              schema: { type: 'string', pattern: '^[0-9]{13}$' },
            },
          ],
          get: {
            operationId: 'getBook',
            responses: {
              200: {
                description: 'The book.',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
              },
              '4XX': { $ref: '#/components/responses/Refused' },
            },
          },
          put: {
            operationId: 'replaceBook',
            requestBody: { $ref: '#/components/requestBodies/NewBook' },
            responses: { 204: { description: 'Done.' }, '4XX': { $ref: '#/components/responses/Refused' } },
          },
          delete: {
            operationId: 'deleteBook',
            deprecated: true,
            'x-deprecated-since': '2025-01-01',
            'x-sunset': '2026-01-01',
            security: [{ oauth: ['books:delete'] }],
            responses: { 204: { description: 'Done.' }, '4XX': { $ref: '#/components/responses/Refused' } },
          },
        },
      ],
      [book, undefined],
    ],
  },
  { kind: 'operation', name: 'an operation goes', label: 'breaking', edits: [[`${book}/put`, undefined]] },
  {
    kind: 'operation',
    name: 'an operation comes',
    label: 'compatible',
    edits: [[`${book}/head`, { operationId: 'headBook', responses: { 200: { description: 'There.' } } }]],
  },
  {
    kind: 'operation',
    name: 'an operation has another id',
    label: 'breaking',
    edits: [[`${book}/get/operationId`, 'readBook']],
  },
  {
    kind: 'operation',
    name: 'an operation is said to go',
    label: 'compatible',
    edits: [
      [`${book}/put/deprecated`, true],
      [`${book}/put/x-deprecated-since`, '2026-01-01'],
      [`${book}/put/x-sunset`, '2999-01-01'],
    ],
  },
  { kind: 'operation', name: 'another summary', label: 'same', edits: [[`${books}/get/summary`, 'Books']] },
  {
    kind: 'lifecycle',
    name: 'what was to go by then goes',
    label: 'compatible',
    edits: [[`${book}/delete`, undefined]],
  },
  {
    kind: 'lifecycle',
    name: 'what is to go later goes',
    label: 'breaking',
    edits: [['/paths/~1ping', undefined]],
  },
  { kind: 'parameter', name: 'a parameter goes', label: 'breaking', edits: [[`${parameters}/3`, undefined]] },
  {
    kind: 'parameter',
    name: 'an optional parameter comes',
    label: 'compatible',
    edits: [[`${parameters}/-`, { name: 'sort', in: 'query', schema: { type: 'string' } }]],
  },
  {
    kind: 'parameter',
    name: 'a required parameter comes',
    label: 'breaking',
    edits: [[`${parameters}/-`, { name: 'sort', in: 'query', required: true, schema: { type: 'string' } }]],
  },
  {
    kind: 'parameter',
    name: 'a parameter becomes required',
    label: 'breaking',
    edits: [[`${parameters}/3/required`, true]],
  },
  {
    kind: 'parameter',
    name: 'a cookie becomes a query parameter',
    label: 'breaking',
    edits: [[`${parameters}/5/in`, 'query']],
  },
  {
    kind: 'parameter',
    name: 'a list is written otherwise',
    label: 'breaking',
    edits: [[`${parameters}/2/explode`, undefined]],
  },
  {
    kind: 'parameter',
    name: 'a list is delimited by pipes',
    label: 'breaking',
    edits: [[`${parameters}/2/style`, 'pipeDelimited']],
  },
  {
    kind: 'parameter',
    name: 'reserved characters have to be encoded',
    label: 'breaking',
    edits: [[`${parameters}/3/allowReserved`, undefined]],
  },
  {
    kind: 'parameter',
    name: 'a parameter is no longer written as JSON',
    label: 'breaking',
    edits: [
      [`${parameters}/4`, { name: 'filter', in: 'query', schema: { $ref: '#/components/schemas/Filter' } }],
    ],
  },
  {
    kind: 'parameter',
    name: 'what a style is by itself is written down',
    label: 'same',
    edits: [
      [`${parameters}/0/style`, 'form'],
      [`${parameters}/0/explode`, true],
      [`${parameters}/0/required`, false],
    ],
  },
  {
    kind: 'parameter',
    name: 'a parameter of a path moves to its operations',
    label: 'same',
    edits: [
      [`${book}/parameters`, undefined],
      ...['get', 'put', 'delete'].map((method): [string, unknown] => [
        `${book}/${method}/parameters`,
        [{ name: 'isbn', in: 'path', required: true, schema: { type: 'string', pattern: '^[0-9]{13}$' } }],
      ]),
    ],
  },
  {
    kind: 'parameter',
    name: 'a header is spelt in lower case',
    label: 'same',
    edits: [[`${books}/parameters/0/name`, 'x-trace']],
  },
  {
    kind: 'parameter',
    name: 'parameters stand in another order',
    label: 'same',
    edits: [
      [`${parameters}/3`, undefined],
      [
        `${parameters}/-`,
        { name: 'q', in: 'query', allowReserved: true, schema: { type: 'string', minLength: 2 } },
      ],
    ],
  },
  {
    kind: 'parameter',
    name: 'a header takes less',
    label: 'breaking',
    edits: [[`${books}/parameters/0/schema/maxLength`, 30]],
  },
  {
    kind: 'parameter',
    name: 'a cookie takes another text',
    label: 'breaking',
    edits: [[`${parameters}/5/schema/pattern`, '^[a-z]{3}$']],
  },
  {
    kind: 'parameter',
    name: 'a path takes another text',
    label: 'breaking',
    edits: [[`${book}/parameters/0/schema/pattern`, '^[0-9]{10}$']],
  },
  {
    kind: 'default',
    name: 'a parameter means something else when it is left out',
    label: 'breaking',
    edits: [[`${parameters}/1/schema/default`, 50]],
  },
  {
    kind: 'default',
    name: 'a parameter means nothing certain when it is left out',
    label: 'breaking',
    edits: [[`${parameters}/1/schema/default`, undefined]],
  },
  {
    kind: 'default',
    name: 'a parameter means something certain when it is left out',
    label: 'compatible',
    edits: [[`${parameters}/3/schema/default`, 'any']],
  },
  {
    kind: 'default',
    name: 'a property means something else when it is left out',
    label: 'breaking',
    edits: [['/components/schemas/NewBook/properties/shelf/default', 'B2']],
  },
  {
    kind: 'security',
    name: 'a public operation asks for credentials',
    label: 'breaking',
    edits: [['/paths/~1ping/get/security', [{ bearer: [] }]]],
  },
  {
    kind: 'security',
    name: 'an operation becomes public',
    label: 'compatible',
    edits: [[`${book}/get/security`, []]],
  },
  {
    kind: 'security',
    name: 'one way in goes',
    label: 'breaking',
    edits: [[`${books}/post/security/1`, undefined]],
  },
  {
    kind: 'security',
    name: 'one way in comes',
    label: 'compatible',
    edits: [[`${books}/post/security/-`, { oauth: [] }]],
  },
  {
    kind: 'security',
    name: 'another scope is asked for',
    label: 'breaking',
    edits: [[`${book}/delete/security/0/oauth/-`, 'books:read']],
  },
  {
    kind: 'security',
    name: 'no scope is asked for',
    label: 'compatible',
    edits: [[`${book}/delete/security/0/oauth`, []]],
  },
  {
    kind: 'security',
    name: 'credentials for all are asked for by each',
    label: 'same',
    edits: [
      ['/security', undefined],
      ...[`${books}/get`, `${book}/get`, `${book}/put`, '/paths/~1loans/post'].map(
        (at): [string, unknown] => [`${at}/security`, [{ bearer: [] }]],
      ),
    ],
  },
  {
    kind: 'security',
    name: 'all operations ask for other credentials',
    label: 'breaking',
    edits: [['/security', [{ key: [] }]]],
  },
  {
    kind: 'security scheme',
    name: 'a key has another name',
    label: 'breaking',
    edits: [['/components/securitySchemes/key/name', 'X-Api-Key']],
  },
  {
    kind: 'security scheme',
    name: 'a key travels elsewhere',
    label: 'breaking',
    edits: [['/components/securitySchemes/client/in', 'header']],
  },
  {
    kind: 'security scheme',
    name: 'another scheme of HTTP',
    label: 'breaking',
    edits: [['/components/securitySchemes/bearer/scheme', 'basic']],
  },
  {
    kind: 'security scheme',
    name: 'a flow goes',
    label: 'breaking',
    edits: [['/components/securitySchemes/oauth/flows/authorizationCode', undefined]],
  },
  {
    kind: 'security scheme',
    name: 'a scope goes',
    label: 'breaking',
    edits: [['/components/securitySchemes/oauth/flows/clientCredentials/scopes/books:read', undefined]],
  },
  {
    kind: 'security scheme',
    name: 'a scope comes',
    label: 'compatible',
    edits: [['/components/securitySchemes/oauth/flows/clientCredentials/scopes/books:write', 'Write.']],
  },
  {
    kind: 'security scheme',
    name: 'tokens are made elsewhere',
    label: 'breaking',
    edits: [
      ['/components/securitySchemes/oauth/flows/clientCredentials/tokenUrl', 'https://auth.example/token'],
    ],
  },
  { kind: 'server', name: 'a server goes', label: 'breaking', edits: [['/servers/1', undefined]] },
  {
    kind: 'server',
    name: 'a server comes',
    label: 'compatible',
    edits: [['/servers/-', { url: 'https://new.library.example/v2' }]],
  },
  {
    kind: 'server',
    name: 'a server is somewhere else',
    label: 'breaking',
    edits: [['/servers/1/url', 'https://sandbox.library.example/v3']],
  },
  {
    kind: 'server',
    name: 'a variable loses a value',
    label: 'breaking',
    edits: [['/servers/0/variables/region/enum', ['eu']]],
  },
  {
    kind: 'server',
    name: 'a variable gains a value',
    label: 'compatible',
    edits: [['/servers/0/variables/region/enum', ['eu', 'us', 'as']]],
  },
  {
    kind: 'server',
    name: 'a variable is another one when it is left out',
    label: 'breaking',
    edits: [['/servers/0/variables/region/default', 'us']],
  },
];
