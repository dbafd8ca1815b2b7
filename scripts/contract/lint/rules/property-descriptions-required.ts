import { isObject, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import type { LintRule } from '../rule.ts';

/** A schema with only these keywords narrows a property that another schema describes. */
const narrowing = ['enum', 'x-open-enum'];

/**
 * Every property has a description and an example. An object needs no example, because its properties have their own.
 */
export const propertyDescriptionsRequired: LintRule = () => ({
  SchemaProperties(properties, { report, resolve, location }) {
    for (const [name, given] of Object.entries(properties)) {
      const schema = resolve(given).node;
      if (!isObject(schema) || Object.keys(objectOf(schema)).every((key) => narrowing.includes(key)))
        continue;
      const missing = [
        typeof schema.description === 'string' && schema.description.trim() ? [] : ['description'],
        listOf(schema.examples).length > 0 || isObject(schema.properties) ? [] : ['examples'],
      ].flat();
      if (missing.length > 0)
        report({
          message: `Add to ${name}: ${missing.join(', ')}.`,
          location: location.child(name).key(),
        });
    }
  },
});
