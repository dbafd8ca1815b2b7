import { isDocumentNode, type LintRule, listOf } from '../rule.ts';

/** A reader learns of each property what it means and what it looks like; an object shows it by its own properties. */
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
          message: `Give ${name} what it lacks: ${missing.join(', ')}.`,
          location: location.child(name).key(),
        });
    }
  },
});
