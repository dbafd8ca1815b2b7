import { expect, test } from 'vitest';
import { convertDocument } from '../../../../scripts/contract/load/convert-document.ts';
import { ignoredParts } from '../../../../scripts/contract/load/ignored-parts.ts';
import { repairDocument } from '../../../../scripts/contract/load/repair-document.ts';
import { readYaml } from '../../../support/documents.ts';

interface RepairCase {
  schemas: Record<string, object>;
  repaired?: object;
  ignored?: string[];
}
const cases: Record<string, RepairCase> = readYaml(import.meta.dirname, 'repair-cases.yaml');

test.each(Object.entries(cases))('%s', (_name, { schemas, repaired, ignored = [] }) => {
  const { document, notes } = repairDocument({ openapi: '3.1.1', components: structuredClone({ schemas }) });
  expect(document.components?.schemas).toEqual({ ...schemas, ...repaired });
  const said = notes.map(({ sentence }) => sentence.replace('/components/schemas/', ''));
  expect(said).toEqual(ignored.map((sentence) => expect.stringContaining(sentence)));
});

test('rewrites discriminator mappings, and references into paths, as references to component schemas', () => {
  const tree = (target: string) => ({ type: 'object', properties: { child: { $ref: target } } });
  const paths = (schema: object) => ({
    '/a': { get: { responses: { 200: { content: { 'x/y': { schema } } } } } },
  });
  const pet = (cat: string) => ({ Pet: { discriminator: { propertyName: 'kind', mapping: { cat } } } });
  const { document } = repairDocument({
    openapi: '3.1.1',
    paths: paths(tree('#/paths/~1a/get/responses/200/content/x~1y/schema')),
    components: { schemas: { Cat: {}, ...pet('Cat') } },
  });
  const shared = tree('#/components/schemas/Shared1');
  expect(document).toMatchObject({
    paths: paths(shared),
    components: { schemas: { Shared1: shared, ...pet('#/components/schemas/Cat') } },
  });
});

test('names the formats that are not validated, and only these', () => {
  const formats = ['uri-template', 'byte', 'password', 'date', 'toString', 'color'];
  const schemas = Object.fromEntries(formats.map((format) => [format, { type: 'string', format }]));
  const coin = { type: 'string', format: 'coin', pattern: '^[A-Z]{3}$' };
  expect(ignoredParts({ openapi: '3.1.0', components: { schemas: { ...schemas, coin } } })).toEqual([
    {
      pointer: '/components/schemas/toString/format',
      sentence:
        'Values of the format color, toString are not validated. Add a pattern to each of these schemas.',
    },
  ]);
});

test('names media types whose schema is not validated, and none whose schema says that it is bytes', () => {
  const content = {
    'application/json': { schema: { type: 'object' } },
    'application/pdf': {},
    'image/png': { schema: { type: 'string', format: 'binary' } },
    'image/gif': { schema: { type: 'string', maxLength: 9 } },
    'application/xml': { schema: { type: 'object' } },
  };
  const get = { responses: { 200: { description: 'Yes.', content } } };
  expect(ignoredParts({ openapi: '3.1.0', paths: { '/files': { get } } })).toEqual([
    {
      pointer: '/paths/~1files/get/responses/200/content/image~1gif',
      sentence: 'Bodies of application/xml, image/gif are sent as they are, and not validated.',
    },
  ]);
});

test('names the entries of x-rules that are no rules', () => {
  const put = {
    responses: {},
    'x-rules': [{ fields: ['query/to'], rule: 'to is after from' }, { rule: 'Once a day.' }, '/to', {}],
  };
  expect(ignoredParts({ openapi: '3.1.0', paths: { '/files': { put } } })).toEqual([
    {
      pointer: '/paths/~1files/put/x-rules/2',
      sentence: expect.stringMatching(
        /^An entry of x-rules is ignored: "\/to", \{\}\. Write an object, such as/,
      ),
    },
  ]);
});

const convert = (document: object) => convertDocument({ openapi: '3.2.0', ...document });

test('converts OpenAPI 3.2 to 3.1 without the features that 3.1 lacks, and reports each of them', () => {
  const operation = { responses: { '200': { description: 'Yes.' } } };
  const converted = convert({
    $self: 'https://example.com/openapi.yaml',
    paths: {
      '/a': {
        get: {
          ...operation,
          parameters: [
            { name: 'q', in: 'querystring' },
            { name: 'c', in: 'cookie', style: 'cookie' },
          ],
        },
        query: operation,
        additionalOperations: { COPY: operation },
      },
    },
    components: {
      mediaTypes: { Lines: { itemSchema: { type: 'object' } } },
      schemas: { A: { discriminator: { propertyName: 'kind', defaultMapping: 'B' } } },
      examples: { A: { dataValue: { itemSchema: 1 } } },
    },
  });
  expect(converted?.document).toEqual({
    openapi: '3.1.1',
    paths: { '/a': { get: { ...operation, parameters: [{ name: 'c', in: 'cookie', style: 'form' }] } } },
    components: {
      mediaTypes: { Lines: {} },
      schemas: { A: { discriminator: { propertyName: 'kind' } } },
      examples: { A: { value: { itemSchema: 1 } } },
    },
  });
  expect(converted?.ignored).toHaveLength(5);
});

test('keeps schemas and properties that are named like OpenAPI 3.2 keywords', () => {
  const components = {
    schemas: { query: { properties: { query: { type: 'object' }, dataValue: { type: 'string' } } } },
  };
  expect(convert({ components })).toEqual({ document: { openapi: '3.1.1', components }, ignored: [] });
});

test('returns a 3.1 document unchanged, and undefined for an unknown version', () => {
  const document = { openapi: '3.1.0', paths: { '/a': { query: {} } } };
  expect(convertDocument(document)).toEqual({ document, ignored: [] });
  expect(convertDocument({ openapi: '4.0.0' })).toBeUndefined();
});
