import type { CompactSchema, CompiledSchemas } from '../../contract/compiled-contract.ts';
import { pointerTo } from '../../lib/json-text.ts';
import { nothingFound, type SchemaViolation, violationOf } from '../../lib/violation.ts';
import { applySchema } from './apply-schema.ts';
import { type LocatedViolation, Run, wholeValue } from './run.ts';

/** Compact schemas by name, and the formats that they use. */
type Schemas = Pick<CompiledSchemas, 'schemas' | 'formats'>;

/**
 * Lists the violations of a value that a compiled schema has refused. It interprets the schema, so that no code has to be
 * generated for what is rarely needed.
 * @param name the name of the schema
 * @param limit maximum number of violations
 * @returns at least one violation, with JSON Pointers into the value
 * @throws InputLimitError if it takes more work than `withWorkLimit` allows
 */
export function explainSchema(
  compiled: Schemas,
  name: string,
  value: unknown,
  limit: number,
): SchemaViolation[] {
  const found = interpretSchema(compiled, { $ref: name }, value, limit);
  // Only a defect of ours could make this empty. The value is refused all the same.
  return found.length > 0 ? found : [nothingFound];
}

/** Locates and words a violation. */
export const violationAt = ({ location, ...violation }: LocatedViolation): SchemaViolation =>
  violationOf({ ...violation, instancePath: pointerTo(location) });

/**
 * Validates a value with a schema that is not compiled, which takes several times as long.
 * @param schema may refer to compact schemas by name
 * @returns the violations, with JSON Pointers into the value; empty if it conforms
 * @throws InputLimitError if it takes more work than `withWorkLimit` allows
 */
export function interpretSchema(
  { schemas, formats }: Schemas,
  schema: CompactSchema,
  value: unknown,
  limit: number,
): SchemaViolation[] {
  const run = new Run(schemas, formats, limit);
  applySchema(schema, value, wholeValue, run, false);
  const found = run.found.map(violationAt);
  return [
    ...new Map(
      found.map(({ pointer, keyword, message }) => [`${pointer} ${message}`, { pointer, keyword, message }]),
    ).values(),
  ];
}
