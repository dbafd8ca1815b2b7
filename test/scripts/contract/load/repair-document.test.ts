import { expect, test } from 'vitest';
import { repairDocument } from '../../../../scripts/contract/load/repair-document.ts';
import { readYaml } from '../../../support/read-yaml.ts';

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
