import { decisionsMatch } from './rules/decision-ids-match.ts';
import { deprecatedDated } from './rules/deprecation-dates-required.ts';
import { refusalsDocumented } from './rules/error-responses-documented.ts';
import { noFormatWithPattern } from './rules/no-format-with-pattern.ts';
import { noReadWriteOnly } from './rules/no-read-write-only.ts';
import { operationIdVerbNoun } from './rules/operation-id-verb-noun.ts';
import { propertiesDescribed } from './rules/property-descriptions-required.ts';
import { requestsClosed } from './rules/request-schemas-closed.ts';
import { answersHaveExamples } from './rules/response-examples-required.ts';
import { dialectDeclared } from './rules/schema-dialect-required.ts';
import { tuplesClosed } from './rules/tuple-schemas-closed.ts';

const rules = {
  'response-examples-required': answersHaveExamples,
  'decision-ids-match': decisionsMatch,
  'deprecation-dates-required': deprecatedDated,
  'schema-dialect-required': dialectDeclared,
  'no-format-with-pattern': noFormatWithPattern,
  'no-read-write-only': noReadWriteOnly,
  'operation-id-verb-noun': operationIdVerbNoun,
  'property-descriptions-required': propertiesDescribed,
  'error-responses-documented': refusalsDocumented,
  'request-schemas-closed': requestsClosed,
  'tuple-schemas-closed': tuplesClosed,
};

/** Our own rules, as Redocly loads them; each is switched on by name in redocly.yaml. */
export default function parleyPlugin() {
  return { id: 'parley', rules: { oas3: rules } };
}
