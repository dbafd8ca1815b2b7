import type { ErrorObject, ValidateFunction } from 'ajv';
import { ownOf } from '../../../server/lib/own-property.ts';
import { isDocumentNode } from '../../../server/pipeline/document-node.ts';
import { exceedsErrorLimits } from '../../../server/pipeline/json-size.ts';
import type {
  CompiledOperation,
  DocumentedContent,
  DocumentedResponse,
  RequestParts,
  SchemaViolation,
} from '../../../server/pipeline/operation.ts';
import { groupParameters } from '../../../server/pipeline/parameters.ts';
import { unknownDiscriminator } from '../../../server/pipeline/unknown-discriminator.ts';
import { toViolations, violationsInError } from '../../../server/pipeline/violations.ts';
import type {
  CompiledContract,
  CompiledContractOperation,
  CompiledRequest,
  CompiledResponse,
} from './compiled-contract.ts';

/** Returns the operations of a compiled contract, with the functions that validate them. */
export function operationsOf(contract: CompiledContract): CompiledOperation[] {
  return contract.operations.map((operation) => ({
    ...operation,
    parameterGroups: groupParameters(operation.parameters),
    requestContent: new Map(
      operation.requestTypes.map((type) => [type, contentOf(contract, operation.forms[type])]),
    ),
    responses: mapValues(operation.responses, (response) => documentedResponse(contract, response)),
    validateRequest: (parts, mediaType, url) =>
      validateRequest(contract, operation, parts, mediaType ?? operation.requestTypes[0] ?? '', url),
    validateBody(status, mediaType, body) {
      const validator = operation.responses[status]?.bodies[mediaType];
      return validator === undefined ? [] : violationsOf(contract, validator, body);
    },
    validateHeaders(status, headers) {
      const validator = operation.responses[status]?.headerValidator;
      return validator === undefined ? [] : violationsOf(contract, validator, headers);
    },
  }));
}

const mapValues = <Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));

const contentOf = (
  { schemas }: CompiledContract,
  schema: unknown,
  examples: readonly unknown[] = [],
): DocumentedContent => ({
  schema,
  examples,
  resolve(node) {
    let found = node;
    while (isDocumentNode(found) && typeof found.$ref === 'string') found = schemas[found.$ref];
    return isDocumentNode(found) ? found : {};
  },
});

const documentedResponse = (
  contract: CompiledContract,
  { mediaTypes, headers, content = {} }: CompiledResponse,
): DocumentedResponse => ({
  mediaTypes,
  headers,
  content: new Map(
    mediaTypes.map((type) => [type, contentOf(contract, content[type]?.schema, content[type]?.examples)]),
  ),
});

function validateRequest(
  contract: CompiledContract,
  { id, composed, parameters, requests }: CompiledContractOperation,
  parts: RequestParts,
  mediaType: string,
  url: string,
): SchemaViolation[] {
  const compiled = requests[mediaType];
  if (!compiled) throw new Error(`${id} does not accept ${mediaType}.`);
  if (composed)
    try {
      contract.parseParameters?.(
        composed,
        parameters,
        parts,
        url,
        (reference) => contract.schemas[reference],
      );
    } catch (error) {
      return violationsInError(error);
    }
  const general = violationsOf(contract, compiled.general, parts);
  // A missing body is not validated. The caller checks whether one is required.
  const ofBody = parts.body === undefined ? [] : bodyViolations(contract, compiled, parts.body);
  const found = [...general, ...ofBody];
  return exceedsErrorLimits(parts.body) ? found.slice(0, 1) : found;
}

function bodyViolations(
  contract: CompiledContract,
  { body: validator, discriminator }: CompiledRequest,
  body: unknown,
): SchemaViolation[] {
  const found = () => {
    if (discriminator === undefined)
      return validator === undefined ? [] : violationsOf(contract, validator, body);
    const { property, validators } = discriminator;
    const value = isDocumentNode(body) ? String(ownOf(body, property)) : '';
    const chosen = Object.hasOwn(validators, value) ? validators[value] : undefined;
    return chosen === undefined
      ? toViolations(worded([unknownDiscriminator(body, property, Object.keys(validators))]), '')
      : violationsOf(contract, chosen, body);
  };
  return found().map((violation) => ({ ...violation, pointer: `/body${violation.pointer}` }));
}

function violationsOf({ validators }: CompiledContract, index: number, value: unknown): SchemaViolation[] {
  const validate: ValidateFunction | undefined = validators[index];
  if (!validate || validate(value)) return [];
  return toViolations(worded(validate.errors ?? []), '');
}

/** Names the allowed values, as express-openapi-validator does. */
const worded = (errors: readonly ErrorObject[]): ErrorObject[] =>
  errors.map((error) =>
    error.keyword === 'enum' && error.params.allowedValues
      ? { ...error, message: `${error.message}: ${error.params.allowedValues.join(', ')}` }
      : error,
  );
