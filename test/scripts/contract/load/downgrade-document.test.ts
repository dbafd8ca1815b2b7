import { expect, test } from 'vitest';
import { convertDocument } from '../../../../scripts/contract/load/convert-document.ts';

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
