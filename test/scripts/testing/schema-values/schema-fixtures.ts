import { readYaml } from '../../../support/read-yaml.ts';

const { components }: { components: { schemas: object } } = readYaml(
  import.meta.dirname,
  'schema-fixtures.yaml',
);
const Many = { oneOf: Array.from({ length: 100 }, (_, value) => ({ const: value })) };

/** A document with every supported keyword, some in combinations that restrict each other. */
export const keywordFixtures = { components: { schemas: { ...components.schemas, Many } } };
