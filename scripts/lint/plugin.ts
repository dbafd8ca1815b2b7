import { answersHaveExamples } from './rules/answers-have-examples.ts';
import { decisionsMatch } from './rules/decisions-match.ts';
import { deprecatedDated } from './rules/deprecated-dated.ts';
import { dialectDeclared } from './rules/dialect-declared.ts';
import { noFormatWithPattern } from './rules/no-format-with-pattern.ts';
import { noReadWriteOnly } from './rules/no-read-write-only.ts';
import { operationIdVerbNoun } from './rules/operation-id-verb-noun.ts';
import { propertiesDescribed } from './rules/properties-described.ts';
import { refusalsDocumented } from './rules/refusals-documented.ts';
import { requestsClosed } from './rules/requests-closed.ts';
import { tuplesClosed } from './rules/tuples-closed.ts';

const rules = {
  'answers-have-examples': answersHaveExamples,
  'decisions-match': decisionsMatch,
  'deprecated-dated': deprecatedDated,
  'dialect-declared': dialectDeclared,
  'no-format-with-pattern': noFormatWithPattern,
  'no-read-write-only': noReadWriteOnly,
  'operation-id-verb-noun': operationIdVerbNoun,
  'properties-described': propertiesDescribed,
  'refusals-documented': refusalsDocumented,
  'requests-closed': requestsClosed,
  'tuples-closed': tuplesClosed,
};

/** Our own rules, as Redocly loads them; each is switched on by name in redocly.yaml. */
export default function parleyPlugin() {
  return { id: 'parley', rules: { oas3: rules } };
}
