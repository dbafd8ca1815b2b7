import type { LintRule } from '../rule.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** If no dialect is declared, Prism reads schemas as draft-07 and accepts what other tools reject. */
export const schemaDialectRequired: LintRule = () => ({
  Root(root, { report, location }) {
    if (root.jsonSchemaDialect === dialect) return;
    report({ message: `Declare the dialect: jsonSchemaDialect: ${dialect}`, location: location.key() });
  },
});
