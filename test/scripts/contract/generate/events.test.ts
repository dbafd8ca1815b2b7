import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { generateEventModule } from '../../../../scripts/contract/generate/events.ts';
import { knownFormats } from '../../../../scripts/lib/known-formats.ts';
import { content, contractOf, reference } from '../../../support/documents.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

type Validators = Record<'full' | 'short', Record<string, (event: unknown) => { pointer: string }[]>>;

/** Generates the module for one event, `changed`, and loads it. */
async function validatorsFor(schema: object, others: Record<string, object> = {}): Promise<Validators> {
  const files = await generateEventModule(
    contractOf({
      components: { schemas: { Changed: schema, ...others } },
      webhooks: { changed: { post: { requestBody: content(reference('Changed')), responses: {} } } },
    }),
  );
  const file = join(await temporaryFolder(), 'events.mjs');
  await writeFile(file, files['events.js'] ?? '');
  const { validators } = await import(pathToFileURL(file).href);
  return validators;
}

const pointersIn = ({ full }: Validators, event: unknown) =>
  full.changed?.(event).map(({ pointer }) => pointer);

test('receivers accept what later versions may add, at every depth', async () => {
  const validators = await validatorsFor(
    {
      type: 'object',
      additionalProperties: false,
      properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
    },
    {
      Item: {
        type: 'object',
        required: ['kind'],
        unevaluatedProperties: false,
        properties: { kind: { enum: ['a'], 'x-open-enum': true }, size: { enum: [1, 2] } },
      },
    },
  );
  expect(pointersIn(validators, { news: 1, items: [{ kind: 'later', news: 1 }] })).toEqual([]);
  expect(pointersIn(validators, { items: [{ kind: 'a', size: 3 }, {}] })).toEqual([
    '/items/0/size',
    '/items/1/kind',
  ]);
});

test('an event does not need properties that are written only', async () => {
  const validators = await validatorsFor({
    type: 'object',
    required: ['id', 'password'],
    properties: { id: { type: 'integer', readOnly: true }, password: { type: 'string', writeOnly: true } },
  });
  expect(pointersIn(validators, { id: 1 })).toEqual([]);
  expect(pointersIn(validators, {})).toEqual(['/id']);
});

const texts = {
  byte: ['YQ==', 'YQ==\n'],
  url: ['https://localhost:8080/a', 'mailto:a@example.com'],
  regex: ['^a+$', '('],
  'uri-reference': ['/a?b#c', 'a b'],
  'uri-template': ['/a/{id}', '/a/{id'],
  duration: ['P1D', '1D'],
  hostname: ['example.com', '-a.example'],
  ipv4: ['127.0.0.1', '256.1.1.1'],
  ipv6: ['::1', ':::1'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '0'],
  'json-pointer': ['/a/0', 'a'],
  'json-pointer-uri-fragment': ['#/a', '/a'],
  'relative-json-pointer': ['0/a', '/a'],
  'iso-date-time': ['2026-01-01 10:00:00', '2026-01-01'],
  'iso-time': ['10:00:00', '10'],
  date: ['2026-01-31', '2026-02-30'],
  'date-time': ['2026-01-31T10:00:00Z', '2026-01-31'],
  time: ['10:00:00Z', '10:00'],
  email: ['a@example.com', 'a'],
  uri: ['https://example.com/a', '/a'],
  'idn-email': ['ä@ö.example', 'ä'],
  'idn-hostname': ['ä.example', '-ä.example'],
  iri: ['https://ä.example/ö', '/ö'],
  'iri-reference': ['/ö', 'ö ö'],
} as const;

test('every known format of texts is part of the generated module', async () => {
  const hints = ['float', 'double', 'binary', 'password'];
  expect([...Object.keys(texts), 'int32', 'int64', ...hints].toSorted()).toEqual(
    Object.keys(knownFormats).toSorted(),
  );
  const validators = await validatorsFor({
    properties: Object.fromEntries([...Object.keys(texts), ...hints].map((format) => [format, { format }])),
  });
  const each = (at: 0 | 1) =>
    Object.fromEntries([
      ...Object.entries(texts).map(([name, given]) => [name, given[at]]),
      ...hints.map((hint) => [hint, '\n']),
    ]);
  expect(pointersIn(validators, each(0))).toEqual([]);
  expect(pointersIn(validators, each(1))).toEqual(Object.keys(texts).map((name) => `/${name}`));
});

test('an event with a long list below many alternatives is refused without trying them all', async () => {
  const node = reference('Node');
  const branch = (name: string) => ({
    type: ['object', 'array'],
    properties: { a: node },
    allOf: [{ required: [name] }],
  });
  const validators = await validatorsFor(node, { Node: { anyOf: [branch('x'), branch('y')] } });
  const levels = 12;
  const list = `[${'0,'.repeat(2_000)}0]`;
  const event: unknown = JSON.parse(`${'{"a":'.repeat(levels)}${list}${'}'.repeat(levels)}`);
  expect(validators.full.changed?.(event)).toMatchObject([{ message: 'does not conform to its schema' }]);
});
