import { isObject, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import type { LintRule } from '../rule.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** If no dialect is declared, Prism reads schemas as draft-07 and accepts what other tools reject. */
export const schemaDialectRequired: LintRule = () => ({
  Root(root, { report, location }) {
    if (root.jsonSchemaDialect === dialect) return;
    report({ message: `Declare the dialect: jsonSchemaDialect: ${dialect}`, location: location.key() });
  },
});

/** Reading and writing use separate schemas (D14), because tools disagree about `readOnly` and `writeOnly`. */
export const noReadWriteOnly: LintRule = () => ({
  Schema(schema, { report, location }) {
    for (const keyword of ['readOnly', 'writeOnly'])
      if (keyword in schema)
        report({
          message: `Write two schemas instead of ${keyword}.`,
          location: location.child(keyword).key(),
        });
  },
});

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
