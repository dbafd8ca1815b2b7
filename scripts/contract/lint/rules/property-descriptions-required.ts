import { isDocumentNode, type LintRule, listOf } from '../rule.ts';

/**
 * Every property has a description and an example. An object needs no example, because its properties have their own.
 */
export const propertyDescriptionsRequired: LintRule = () => ({
  SchemaProperties(properties, { report, resolve, location }) {
    for (const [name, given] of Object.entries(properties)) {
      const schema = resolve(given).node;
      if (!isDocumentNode(schema)) continue;
      const missing = [
        typeof schema.description === 'string' && schema.description.trim() ? [] : ['description'],
        listOf(schema.examples).length > 0 || isDocumentNode(schema.properties) ? [] : ['examples'],
      ].flat();
      if (missing.length > 0)
        report({
          message: `Add to ${name}: ${missing.join(', ')}.`,
          location: location.child(name).key(),
        });
    }
  },
});
