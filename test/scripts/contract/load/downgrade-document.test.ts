import { expect, test } from 'vitest';
import { convertDocument } from '../../../../scripts/contract/load/convert-document.ts';

const convert = (document: object) => convertDocument({ openapi: '3.2.0', ...document });

test('OpenAPI 3.2 becomes 3.1, without what only 3.2 has, and names what was left out', () => {
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

test('names that are keywords of OpenAPI 3.2 stay: properties, examples and schemas', () => {
  const components = {
    schemas: { query: { properties: { query: { type: 'object' }, dataValue: { type: 'string' } } } },
  };
  expect(convert({ components })).toEqual({ document: { openapi: '3.1.1', components }, ignored: [] });
});

test('a document of another version is left alone or refused', () => {
  const document = { openapi: '3.1.0', paths: { '/a': { query: {} } } };
  expect(convertDocument(document)).toEqual({ document, ignored: [] });
  expect(convertDocument({ openapi: '4.0.0' })).toBeUndefined();
});
