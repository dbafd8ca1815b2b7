import { applyDefaults } from '../load/apply-defaults.ts';
import { decisionIdsMatch } from './rules/decision-ids-match.ts';
import { deprecationDatesRequired } from './rules/deprecation-dates-required.ts';
import { errorResponsesDocumented } from './rules/error-responses-documented.ts';
import { listLinksRequired } from './rules/list-links-required.ts';
import { noReadWriteOnly } from './rules/no-read-write-only.ts';
import { noUnusedDefinitions } from './rules/no-unused-definitions.ts';
import { operationIdVerbNoun } from './rules/operation-id-verb-noun.ts';
import { propertyDescriptionsRequired } from './rules/property-descriptions-required.ts';
import { responseExamplesRequired } from './rules/response-examples-required.ts';
import { schemaDialectRequired } from './rules/schema-dialect-required.ts';
import { scopesRequired } from './rules/scopes-required.ts';

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
