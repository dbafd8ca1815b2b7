import { readYaml } from '../../../support/documents.ts';

const { components }: { components: { schemas: object } } = readYaml(
  import.meta.dirname,
  'schema-fixtures.yaml',
);
/** More branches than are made exclusive. */
const Many = { oneOf: Array.from({ length: 64 }, (_, value) => ({ const: value })) };

/** A document with every supported keyword, some in combinations that restrict each other. */
export const keywordFixtures = { components: { schemas: { ...components.schemas, Many } } };
