/** A reference of a document that it may not follow, and the expected message. `url` is a server that must not be called. */
export interface HostileReference {
  name: string;
  /** Returns the document. `outside` is the path of a folder next to the project. */
  document: (at: { url: string; outside: string }) => object;
  message: RegExp;
}

/** Returns a document with one schema. */
export const withSchema = (schema: object, more: object = {}): object => ({
  openapi: '3.1.1',
  info: { title: 'T', version: '1.0.0' },
  paths: {
    '/parts': {
      get: {
        operationId: 'listParts',
        responses: {
          200: { description: 'Parts', content: { 'application/json': { schema, ...more } } },
        },
      },
    },
  },
});

const network = /is a URL, and documents are read without network/;
const outside = /leads outside of the project's folder/;

const reference = (name: string, target: string, message: RegExp): HostileReference => ({
  name,
  document: (at) => withSchema({ $ref: target.replace('URL', at.url).replace('OUTSIDE', at.outside) }),
  message,
});

/**
 * Every kind of reference that a library follows. The project has the symbolic links `link.yaml` (a file outside) and `up` (its
 * parent folder).
 */
export const hostileReferences: HostileReference[] = [
  reference('a URL', 'URL/schema.yaml', network),
  reference('a URL in capitals', 'HTTP://127.0.0.1:1/schema.yaml', network),
  reference('a URL without a scheme', '//127.0.0.1:1/schema.yaml', network),
  reference('a file: URL', 'file://OUTSIDE/secret.yaml', network),
  reference('a data: URL', 'data:application/json,{"type":"string"}', network),
  reference('a path above the project', '../../secret.yaml', outside),
  reference('a path that leaves and returns', '../../project/../secret.yaml', outside),
  reference('an absolute path', 'OUTSIDE/secret.yaml', outside),
  reference('a device', '/dev/zero', outside),
  reference('a symbolic link', 'link.yaml', outside),
  reference('a path through a symbolic link', 'up/secret.yaml', outside),
  reference('a fragment of a file outside', '../../secret.yaml#/description', outside),
  reference('a path of Windows', '..\\..\\secret.yaml', /contains a backslash/),
  reference('a share of Windows', '\\\\127.0.0.1\\share\\schema.yaml', /contains a backslash/),
  reference('an encoded path', '..%2F..%2Fsecret.yaml', outside),
  reference('an encoded path of Windows', '..%5C..%5Csecret.yaml', /contains a backslash/),
  reference('an encoded URL', 'http%3A%2F%2F127.0.0.1%3A1/schema.yaml', network),
  {
    name: 'an $id that changes the base',
    document: ({ url }) => withSchema({ $id: `${url}/base/`, properties: { a: { $ref: 'other.json' } } }),
    message: /There is no file/,
  },
  {
    name: 'an external example file',
    document: () => withSchema({}, { examples: { a: { externalValue: '../../secret.yaml' } } }),
    message: outside,
  },
  {
    name: 'an external example of a server',
    document: ({ url }) => withSchema({}, { examples: { a: { externalValue: `${url}/a.json` } } }),
    message: network,
  },
  {
    name: 'a mapping to a file',
    document: () =>
      withSchema({
        oneOf: [{ type: 'object' }],
        discriminator: { propertyName: 'k', mapping: { a: '../../secret.yaml' } },
      }),
    message: outside,
  },
  {
    name: 'a mapping to a server',
    document: ({ url }) =>
      withSchema({
        oneOf: [{ type: 'object' }],
        discriminator: { propertyName: 'k', mapping: { a: `${url}/a.yaml` } },
      }),
    message: network,
  },
  {
    name: 'a path item of a server',
    document: ({ url }) => ({ ...withSchema({}), paths: { '/a': { $ref: `${url}/path.yaml` } } }),
    message: network,
  },
  {
    name: 'a description in a file',
    document: () => ({
      ...withSchema({}),
      info: { title: 'T', version: '1.0.0', description: { $ref: '../../secret.yaml' } },
    }),
    message: outside,
  },
];

/** Documents in whose data `$ref` is a name like any other, with what it would lead to. */
export const referencesInData: Pick<HostileReference, 'name' | 'document'>[] = [
  ...['const', 'default', 'x-more'].map((keyword) => ({
    name: `a URL in ${keyword}`,
    document: ({ url }: { url: string }) => withSchema({ [keyword]: { $ref: `${url}/value.json` } }),
  })),
  {
    name: 'a URL in enum',
    document: ({ url }) => withSchema({ enum: [{ $ref: `${url}/value.json` }] }),
  },
  {
    name: 'a file in an example',
    document: () => withSchema({}, { example: { $ref: '../../secret.yaml' } }),
  },
  {
    name: 'a file in a named example',
    document: () => withSchema({}, { examples: { one: { value: [{ $ref: '../../secret.yaml' }] } } }),
  },
  {
    name: 'a file in an example of a schema',
    document: () => withSchema({ examples: [{ $ref: '../../secret.yaml' }] }),
  },
  {
    // The bundle has it in another folder, from which it leads outside.
    name: 'a file of the project in a constant',
    document: () => withSchema({ const: { $ref: '../inside.yaml' } }),
  },
];

const head = "openapi: 3.1.1\ninfo: {title: T, version: '1'}\npaths: {}\n";
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const list = (count: number, item: string): string => `[${Array(count).fill(item).join(',')}]`;

/** Documents of at most 1 MB that become too large or too deep, and the expected messages. */
export const largeDocuments: { name: string; files: Record<string, string>; message: RegExp }[] = [
  {
    name: 'aliases of aliases',
    files: {
      'root.yaml': `${head}x-0: &a0 [x]\n${lines(9, (at) => `x-${at + 1}: &a${at + 1} ${list(10, `*a${at}`)}`)}`,
    },
    message: /larger than 32 MiB/,
  },
  {
    name: 'aliases of a long text',
    files: { 'root.yaml': `${head}x-text: &text ${'y'.repeat(100_000)}\nx-list: ${list(1_000, '*text')}` },
    message: /larger than 32 MiB/,
  },
  {
    name: 'an alias of itself',
    files: { 'root.yaml': `${head}components: {schemas: {A: &a {properties: {b: *a}}}}` },
    message: /contains itself, by an alias/,
  },
  {
    name: 'merged aliases',
    files: {
      'root.yaml': `${head}x-keys: &keys {${lines(2_000, (at) => `k${at}: 1,`).replaceAll('\n', ' ')}}\nx-list:\n${lines(2_000, () => '  - {<<: *keys}')}`,
    },
    message: /merge keys exceeded/,
  },
  {
    name: 'many levels',
    files: { 'root.yaml': `${head}x-deep: ${'['.repeat(10_000)}${']'.repeat(10_000)}` },
    message: /nesting exceeded/,
  },
  {
    name: 'many levels by aliases',
    files: {
      'root.yaml': `${head}x-0: &a0 [x]\n${lines(50, (at) => `x-${at + 1}: &a${at + 1} ${'['.repeat(80)}*a${at}${']'.repeat(80)}`)}`,
    },
    message: /more than 200 levels/,
  },
  {
    name: 'an object with many properties',
    files: { 'root.yaml': `${head}x-names:\n${lines(60_000, (at) => `  n${at}: 1`)}` },
    message: /root\.yaml has an object with more than 50000 properties/,
  },
  {
    name: 'many mistakes',
    files: { 'root.yaml': `${head}tags: ${list(100_000, 'null')}` },
    message: /^(.*root\.yaml:4:\d+ Item \d+ must be an object, not null\.\n.*\n.*\n){20}… and more$/,
  },
  {
    name: 'a text that many references insert',
    files: {
      'text.txt': 'y'.repeat(200_000),
      'root.yaml': `${head}tags: ${list(300, '{name: a, description: {$ref: text.txt}}')}`,
    },
    message: /larger than 32 MiB/,
  },
];
