import { escapePointer } from './json-text.ts';
import { hasWording, wordingOf } from './wording.ts';

/** One violation of a schema. */
export interface SchemaViolation {
  /** JSON Pointer into the validated value. For a missing or extra property, the last part is its name. */
  pointer: string;
  /** The violated keyword. */
  keyword: string;
  /** The requirement, without the location: `must be at most 100`. */
  message: string;
}

/** A violated keyword, as Ajv reports it: the parameters have the names that Ajv gives them. */
export interface ReportedKeyword {
  keyword: string;
  /** JSON Pointer to the value with the keyword. */
  instancePath: string;
  params: Readonly<Record<string, unknown>>;
}

/** Returns the property that is missing or not allowed; undefined if a violation is about the value itself. */
export function propertyOf({ params }: Pick<ReportedKeyword, 'params'>): string | undefined {
  const name =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  return name === undefined ? undefined : String(name);
}

/** Locates and words a violated keyword. All tools show violations in this way. */
export function violationOf(reported: ReportedKeyword): SchemaViolation {
  const { keyword, instancePath, params } = reported;
  const property = propertyOf(reported);
  return {
    pointer: property === undefined ? instancePath : `${instancePath}/${escapePointer(property)}`,
    keyword,
    message: wordingOf(hasWording(keyword) ? keyword : 'schema', params),
  };
}

/** The violation of a refused value for which no other can be listed. */
export const nothingFound: SchemaViolation = violationOf({ keyword: 'schema', instancePath: '', params: {} });
