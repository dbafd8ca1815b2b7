import { nothingFound, type SchemaViolation, violationOf } from '../../lib/violation.ts';
import type { CompactSchema, Formats } from '../compiled-contract.ts';
import { applySchema } from './apply-schema.ts';
import { Run } from './run.ts';

/**
 * Lists the violations of a value that a compiled schema has refused. It interprets the schema, so that no code has to be
 * generated for what is rarely needed.
 * @param schemas compact schemas by name
 * @param name the name of the schema
 * @param limit maximum number of violations
 * @returns at least one violation, with JSON Pointers into the value
 * @throws InputLimitError if it takes more work than `withWorkLimit` allows
 */
export function explainSchema(
  schemas: Readonly<Record<string, CompactSchema>>,
  name: string,
  value: unknown,
  formats: Formats,
  limit: number,
): SchemaViolation[] {
  const run = new Run(schemas, formats, limit);
  applySchema({ $ref: name }, value, '', run, false);
  const found = run.found.map(violationOf);
  // Only a defect of ours could make this empty. The value is refused all the same.
  return found.length > 0 ? distinct(found) : [nothingFound];
}

const distinct = (found: readonly SchemaViolation[]): SchemaViolation[] => [
  ...new Map(
    found.map(({ pointer, keyword, message }) => [`${pointer} ${message}`, { pointer, keyword, message }]),
  ).values(),
];
