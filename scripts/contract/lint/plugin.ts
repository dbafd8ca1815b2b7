import { applyDefaults } from '../load/apply-defaults.ts';
import { decisionIdsMatch, noUnusedDefinitions } from './rules/document.ts';
import {
  deprecationDatesRequired,
  errorResponsesDocumented,
  listLinksRequired,
  operationIdVerbNoun,
  responseExamplesRequired,
  scopesRequired,
} from './rules/operations.ts';
import { noReadWriteOnly, propertyDescriptionsRequired, schemaDialectRequired } from './rules/schemas.ts';

const rules = {
  'response-examples-required': responseExamplesRequired,
  'decision-ids-match': decisionIdsMatch,
  'deprecation-dates-required': deprecationDatesRequired,
  'schema-dialect-required': schemaDialectRequired,
  'list-links-required': listLinksRequired,
  'no-read-write-only': noReadWriteOnly,
  'no-unused-definitions': noUnusedDefinitions,
  'operation-id-verb-noun': operationIdVerbNoun,
  'property-descriptions-required': propertyDescriptionsRequired,
  'error-responses-documented': errorResponsesDocumented,
  'scopes-required': scopesRequired,
};

/** The Redocly plugin with the project's lint rules, and with `x-defaults`. `extends: [parley/all]` enables all rules. */
export default function parleyPlugin() {
  return {
    id: 'parley',
    preprocessors: { oas3: { defaults: applyDefaults } },
    rules: { oas3: rules },
    configs: {
      all: { rules: Object.fromEntries(Object.keys(rules).map((name) => [`parley/${name}`, 'error'])) },
    },
  };
}
