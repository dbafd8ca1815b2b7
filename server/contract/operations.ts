import type { FieldError } from '../lib/field-error.ts';
import { readForm } from '../validation/parameters/read-form.ts';
import { readScalar } from '../validation/parameters/read-scalar.ts';
import { createReading } from '../validation/parameters/reading.ts';
import { assertCompiled, type ContractModule, type OperationPlan } from './compiled-contract.ts';
import { fillDefaults } from './defaults.ts';
import type { CompiledOperation } from './operation.ts';
import { createSchemaChecks, type SchemaChecks } from './schema-checks.ts';

/**
 * Returns the operations of a compiled contract with the functions that validate their messages.
 * @throws Error if the contract was compiled by another version of the toolchain
 */
export function operationsOf(contract: ContractModule): CompiledOperation[] {
  assertCompiled(contract);
  const checks = createSchemaChecks(contract);
  return contract.operations.map((plan) => toOperation(plan, checks));
}

function toOperation(plan: OperationPlan, checks: SchemaChecks): CompiledOperation {
  const { body, responses } = plan;
  const { accepts, violationsOf } = checks;
  return {
    ...plan,
    ...checks,
    requestTypes: Object.keys(body?.content ?? {}),
    readText({ body: given, mediaType = '', format, contents = {} }, problems) {
      const { form, text } = body?.content[mediaType] ?? {};
      if (typeof given !== 'string' || format === 'json') return given;
      if (form && format !== 'text') return readForm(form, given, contents, accepts, problems);
      return text ? readScalar(given, text, createReading(accepts)) : given;
    },
    validateRequestBody(mediaType, value) {
      const { schema, defaults } = body?.content[mediaType] ?? {};
      if (defaults !== undefined) fillDefaults(defaults, value);
      return schema === undefined ? [] : violationsOf(schema, value);
    },
    validateBody(status, mediaType, value) {
      const { schema, form, text } = responses[status]?.content[mediaType] ?? {};
      if (schema === undefined) return [];
      const isText = text && typeof value === 'string';
      const found = violationsOf(schema, isText ? readScalar(value, text, createReading(accepts)) : value);
      if (!form || typeof value !== 'string' || found.length === 0) return found;
      const problems: FieldError[] = [];
      const read = violationsOf(schema, readForm(form, value, {}, accepts, problems));
      return [
        ...problems.map(({ field, message }) => ({ pointer: field, keyword: 'type', message })),
        ...read,
      ];
    },
  };
}
