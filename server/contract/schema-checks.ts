import { InputLimitError } from '../lib/input-limit.ts';
import { isObject, type JsonObject } from '../lib/json-object.ts';
import { nothingFound, type SchemaViolation } from '../lib/violation.ts';
import { spend, withWorkLimit } from '../lib/work-limit.ts';
import { explainSchema } from '../validation/explain/explain-schema.ts';
import type { CompiledSchemas } from './compiled-contract.ts';

/** Maximum number of violations that are listed. */
const maxViolations = 1_000;

/** The schemas of a contract with their functions. */
export interface SchemaChecks {
  /** Whether a value conforms to a schema. */
  accepts: (name: string, value: unknown) => boolean;
  /** Returns the violations of a value; none if it conforms. */
  violationsOf: (name: string, value: unknown) => SchemaViolation[];
  /** Follows the references of a schema. */
  resolve: (schema: unknown) => JsonObject;
}

/** Returns the functions that validate with compiled schemas, and list the violations of what they refuse. */
export function createSchemaChecks(contract: CompiledSchemas): SchemaChecks {
  const { schemas, deciderOf, countWorkWith } = contract;
  const deciders = new Map<string, (value: unknown) => boolean>();
  const accepts = (name: string, value: unknown): boolean => {
    let decide = deciders.get(name);
    if (!decide) {
      decide = deciderOf(name);
      deciders.set(name, decide);
    }
    // Every time, because others may use the same module.
    countWorkWith(spend);
    return decide(value);
  };
  return {
    accepts,
    violationsOf: (name, value) => (accepts(name, value) ? [] : explain(contract, name, value)),
    resolve(schema) {
      let found = schema;
      while (isObject(found) && typeof found.$ref === 'string') found = schemas[found.$ref];
      return isObject(found) ? found : {};
    },
  };
}

/** Returns the violations of a value, or one violation if it takes too much work to validate. */
export function violationsWithinLimit(
  value: unknown,
  findViolations: () => SchemaViolation[],
): SchemaViolation[] {
  try {
    return withWorkLimit(value, findViolations);
  } catch (error) {
    if (error instanceof InputLimitError || error instanceof RangeError) return [nothingFound];
    throw error;
  }
}

/**
 * Lists all violations if that takes no more work than the smallest value may take, however large this value is. Otherwise
 * lists only the first one.
 */
function explain(compiled: CompiledSchemas, name: string, value: unknown): SchemaViolation[] {
  for (const limit of [maxViolations, 1])
    try {
      return withWorkLimit(limit === 1 ? value : undefined, () =>
        explainSchema(compiled, name, value, limit),
      );
    } catch (error) {
      if (!(error instanceof InputLimitError || error instanceof RangeError)) throw error;
    }
  return [nothingFound];
}
