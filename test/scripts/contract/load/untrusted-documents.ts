import { readYaml } from '../../../support/documents.ts';

/** A reference of a document that it may not follow, and the expected message. */
export interface HostileReference {
  name: string;
  /** Returns the document. `url` is a server that must not be called, `outside` the path of a folder next to the project. */
  document: (at: { url: string; outside: string }) => object;
  message: string;
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

type WrittenReferences = Record<string, { document?: object; 'media type'?: object }>;
const written: { followed: Record<string, WrittenReferences>; data: WrittenReferences } = readYaml(
  import.meta.dirname,
  'untrusted-references.yaml',
);

const referencesOf = (message: string, references: WrittenReferences): HostileReference[] =>
  Object.entries(references).map(([name, { document = {}, 'media type': more, ...schema }]) => ({
    name,
    message,
    document: ({ url, outside }) =>
      JSON.parse(
        JSON.stringify({ ...withSchema(schema, more), ...document })
          .replaceAll('URL', url)
          .replaceAll('OUTSIDE', outside),
      ),
  }));

export const hostileReferences = Object.entries(written.followed).flatMap(([message, references]) =>
  referencesOf(message, references),
);
export const referencesInData = referencesOf('', written.data);

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const list = (count: number, item: string): string => `[${Array(count).fill(item).join(',')}]`;

/** Documents of at most 1 MB, without the head, that become too large or too deep, and the expected messages. */
export const largeDocuments: Record<string, [text: string, message: RegExp]> = {
  'aliases of aliases': [
    `x-0: &a0 [x]\n${lines(9, (at) => `x-${at + 1}: &a${at + 1} ${list(10, `*a${at}`)}`)}`,
    /larger than 32 MiB/,
  ],
  'aliases of a long text': [
    `x-text: &text ${'y'.repeat(100_000)}\nx-list: ${list(1_000, '*text')}`,
    /larger than 32 MiB/,
  ],
  'an alias of itself': [
    'components: {schemas: {A: &a {properties: {b: *a}}}}',
    /contains itself, by an alias/,
  ],
  'merged aliases': [
    `x-keys: &keys {${lines(2_000, (at) => `k${at}: 1,`).replaceAll('\n', ' ')}}\nx-list:\n${lines(2_000, () => '  - {<<: *keys}')}`,
    /merge keys exceeded/,
  ],
  'many levels': [`x-deep: ${'['.repeat(10_000)}${']'.repeat(10_000)}`, /nesting exceeded/],
  'many levels by aliases': [
    `x-0: &a0 [x]\n${lines(50, (at) => `x-${at + 1}: &a${at + 1} ${'['.repeat(80)}*a${at}${']'.repeat(80)}`)}`,
    /more than 200 levels/,
  ],
  'an object with many properties': [
    `x-names:\n${lines(60_000, (at) => `  n${at}: 1`)}`,
    /root\.yaml has an object with more than 50000 properties/,
  ],
  'many mistakes': [
    `tags: ${list(100_000, 'null')}`,
    /^(.*root\.yaml:4:\d+ Item \d+ must be an object, not null\.\n.*\n.*\n){20}… and more$/,
  ],
  'a chain of references': [
    `components:\n  schemas:\n${lines(60, (at) => `    S${at}: {$ref: '#/components/schemas/S${at + 1}'}`)}`,
    /root\.yaml:6:\d+ The reference #\/components\/schemas\/S1 begins a chain of 50 or more/,
  ],
  'callbacks behind callbacks': [
    `webhooks:\n${lines(2_000, (at) => `  p${at}: {post: {responses: {}, callbacks: {c: {'{$url}': {$ref: '#/webhooks/p${at + 1}'}}}}}`)}`,
    /root\.yaml cannot be read: references lead from each part into the next one/,
  ],
  'a text that many references insert': [
    `tags: ${list(300, '{name: a, description: {$ref: text.txt}}')}`,
    /larger than 32 MiB/,
  ],
};
