import type { LintRule } from '../rule.ts';

/** An open tuple makes express-openapi-validator and Prism return 500. */
export const tupleSchemasClosed: LintRule = () => ({
  Schema(schema, { report, location }) {
    if (!Array.isArray(schema.prefixItems)) return;
    const length = schema.prefixItems.length;
    if (schema.items === false && schema.minItems === length) return;
    report({
      message: `Close this tuple: items: false, minItems: ${length}`,
      location: location.child('prefixItems'),
    });
  },
});
