import type { LintRule } from '../rule.ts';

/** An open tuple, or one of unknown length, makes express-openapi-validator and Prism answer 500. */
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
